import type { CapabilityCandidate, CapabilityManifest } from '@capability-router/contracts';
import { checkParameters } from './check-parameters.js';
import { checkResult } from './check-result.js';
import type { BindingFault } from './binding-fault.js';
import type { BoundTool } from './bound-tool.js';

/** The part of a contract that a binding must keep to. */
export type BoundCapability = Pick<CapabilityManifest, 'parametersSchema' | 'resultSchema'>;

/**
 * Why a tool cannot serve a capability by its binding, whatever the request; none where it can. Without the tool, what can be told by
 * the contract alone. A request that leaves out what is optional in the contract and what this tool needs is for routing to see.
 */
export function bindingFaults(
  capability: BoundCapability,
  candidate: CapabilityCandidate,
  tool: BoundTool | undefined,
): BindingFault[] {
  return [
    ...checkParameters(capability.parametersSchema, candidate.parameters, tool),
    ...checkResult(capability.resultSchema, candidate.result, tool?.resultSchema ?? undefined),
  ];
}
