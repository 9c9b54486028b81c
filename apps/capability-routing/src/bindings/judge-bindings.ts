import { mapValues, type CapabilityCandidate, type CapabilityManifest } from '@capability-router/contracts';
import { isJsonObject } from '@capability-router/kernel';
import { ParameterValidator } from '@capability-router/tool-calls';
import { bindingFault, type BindingFault } from './domain/binding-fault.js';
import type { BoundTool } from './domain/bound-tool.js';
import { bindingFaults } from './domain/check-binding.js';

/** Schemas of tools that are kept compiled; administrators look at few at a time. */
const MAX_COMPILED = 100;
const validator = new ParameterValidator(MAX_COMPILED);

/** What is known of one binding. */
export interface BindingVerdict {
  readonly toolId: string;
  /** `unknown_tool`: what can be told by the contract alone is right; the tool is not published here, or not yet. */
  readonly status: 'fits' | 'unfit' | 'unknown_tool';
  /** The version that it was held against. */
  readonly toolVersion?: number;
  readonly faults: readonly BindingFault[];
}

/** Holds the bindings of a contract, in their order, against the tools as they are now. */
export function judgeBindings(capability: CapabilityManifest, tools: ReadonlyMap<string, BoundTool>): BindingVerdict[] {
  return capability.candidates.map((candidate) => {
    const { toolId } = candidate;
    const tool = tools.get(toolId);
    const faults = bindingFaults(capability, candidate, tool);
    if (tool === undefined) return { toolId, status: faults.length === 0 ? 'unknown_tool' : 'unfit', faults };
    const all = faults.length > 0 ? faults : exampleFaults(capability, candidate, tool);
    return { toolId, status: all.length === 0 ? 'fits' : 'unfit', toolVersion: tool.version, faults: all };
  });
}

/** The example of the contract has to be a call of the tool. */
function exampleFaults(
  { sampleParameters }: CapabilityManifest,
  candidate: CapabilityCandidate,
  tool: BoundTool,
): BindingFault[] {
  if (sampleParameters === undefined) return [];
  const own = mapValues(candidate.parameters, sampleParameters);
  const details = validator.check({ ...tool, schemaHash: '' }, isJsonObject(own) ? own : {});
  return details.map(({ loc, msg, type }) => {
    // Behind `body` and `parameters`.
    const [name] = loc.slice(2);
    const path = name === undefined ? ['parameters'] : ['parameters', String(name)];
    return bindingFault(path, `With sample_parameters, ${tool.toolId} refuses it: ${msg}`, type);
  });
}
