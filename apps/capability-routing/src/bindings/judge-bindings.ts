import type { CapabilityCandidate, CapabilityManifest } from '@capability-router/contracts';
import { ParameterValidator } from '@capability-router/tool-calls';
import { bindingFault, type BindingFault } from './domain/binding-fault.js';
import type { BoundTool } from './domain/bound-tool.js';
import { bindingFaults } from './domain/check-binding.js';
import { exampleParameters, exampleResultFaults, expressionFaults } from './check-examples.js';
import type { MadeExample, MadeExamples } from './made-examples.js';

/** Schemas of tools that are kept compiled; administrators look at few at a time. */
const MAX_COMPILED = 100;
const validator = new ParameterValidator(MAX_COMPILED);

/** The judgement of one binding. */
export interface BindingVerdict {
  readonly toolId: string;
  /** `unknown_tool`: what can be told by the contract alone is right; the tool is not published here, or not yet. */
  readonly status: 'fits' | 'unfit' | 'unknown_tool';
  /** The version that it was held against. */
  readonly toolVersion?: number;
  readonly faults: readonly BindingFault[];
}

/** Holds the bindings of a contract, in their order, against the tools as they are now. `made`: what their expressions make of the examples. */
export function judgeBindings(
  capability: CapabilityManifest,
  tools: ReadonlyMap<string, BoundTool>,
  made: MadeExamples,
): BindingVerdict[] {
  return capability.candidates.map((candidate) =>
    judgeBinding(capability, candidate, tools.get(candidate.toolId), made.get(candidate)),
  );
}

/** Holds one binding of a contract against its tool as it is now; what its expressions make of the examples is not looked at where it is not given. */
export function judgeBinding(
  capability: CapabilityManifest,
  candidate: CapabilityCandidate,
  tool: BoundTool | undefined,
  made: MadeExample = {},
): BindingVerdict {
  const { toolId, parameters, result } = candidate;
  const ofContract = [
    ...bindingFaults(capability, candidate, tool),
    ...expressionFaults('parameters', parameters, made.parameters),
    ...expressionFaults('result', result, made.result),
  ];
  const faults = ofContract.length > 0 ? ofContract : exampleResultFaults(capability, candidate, made.result);
  if (tool === undefined) return { toolId, status: faults.length === 0 ? 'unknown_tool' : 'unfit', faults };
  const all =
    faults.length > 0
      ? faults
      : [...exampleFaults(capability, candidate, tool, made), ...sampleResultFaults(candidate, tool)];
  return { toolId, status: all.length === 0 ? 'fits' : 'unfit', toolVersion: tool.version, faults: all };
}

/** The example of the contract has to be a call of the tool. */
function exampleFaults(
  capability: CapabilityManifest,
  candidate: CapabilityCandidate,
  tool: BoundTool,
  made: MadeExample,
): BindingFault[] {
  const own = exampleParameters(capability, candidate, made.parameters);
  if (own === undefined) return [];
  const details = validator.check({ ...tool, schemaHash: '' }, own);
  return details.map(({ loc, msg, type }) => {
    // Behind `body` and `parameters`.
    const [name] = loc.slice(2);
    const path = name === undefined ? ['parameters'] : ['parameters', String(name)];
    return bindingFault(path, `With sample_parameters, ${tool.toolId} refuses it: ${msg}`, type);
  });
}

/** The example of the tool's result has to be one that the tool itself says it answers. */
function sampleResultFaults({ sampleResult }: CapabilityCandidate, tool: BoundTool): BindingFault[] {
  const { toolId, version, resultSchema } = tool;
  if (sampleResult === undefined || resultSchema === null) return [];
  const described = { toolId, version, schemaHash: 'result', parametersSchema: resultSchema, oneOfRequired: [] };
  return validator.check(described, sampleResult).map(({ loc, msg, type }) => {
    // Behind `body` and `parameters`.
    const path = ['sample_result', ...loc.slice(2).map(String)];
    return bindingFault(path, `The result schema of ${toolId} does not allow it: ${msg}`, type);
  });
}
