import type { AccountAssertion, ExecutionFacts, ToolContract } from '@capability-router/contracts';
import type { Credits, ExecutionId, JsonObject } from '@capability-router/kernel';
import { upperBound } from '@capability-router/tool-calls';
import type { PartialRequest } from '../request/execute-request.js';
import { factsOf } from './execution-facts.js';

/** A tool that a plan may run, in the version and at the price that are frozen for it. */
export interface Candidate {
  readonly tool: ToolContract;
  readonly parameters: JsonObject;
}

export interface Attempt extends Candidate {
  /** The most that it may cost. */
  readonly bound: Credits;
  /** What the end says of the call where the execution ends with this attempt. */
  readonly facts: ExecutionFacts;
}

/**
 * What one execution may run: attempts in order until one serves, under one hold and within one deadline. It has one end and at
 * most one charge, that of the attempt that served. A Call is the plan with one attempt.
 */
export interface Plan {
  readonly attempts: readonly [Attempt, ...Attempt[]];
  /** What is held: the most that any attempt may cost. */
  readonly bound: Credits;
  /** Milliseconds from the start of the execution, for all attempts together. */
  readonly deadlineMs: number;
  /** Whether another attempt may begin after one of which nobody knows what its provider did. */
  readonly mayRepeat: boolean;
}

/** `partial`: what the request says of where the call belongs. */
export function planOf(
  {
    executionId,
    assertion,
    partial,
  }: { readonly executionId: ExecutionId; readonly assertion: AccountAssertion; readonly partial: PartialRequest },
  candidates: readonly [Candidate, ...Candidate[]],
  limits: Pick<Plan, 'deadlineMs' | 'mayRepeat'>,
): Plan {
  const boundOf = ({ tool, parameters }: Candidate): Credits => upperBound(tool.price, parameters);
  const [first, ...others] = candidates;
  const held = others.map(boundOf).reduce((most, bound) => (bound > most ? bound : most), boundOf(first));
  const attemptOf = (candidate: Candidate): Attempt => {
    const { tool, parameters } = candidate;
    const bound = boundOf(candidate);
    const named = { ...partial, toolId: tool.toolId };
    return {
      tool,
      parameters,
      bound,
      facts: factsOf({ executionId, assertion, partial: named, tool, parameters, bound, held }),
    };
  };
  return { attempts: [attemptOf(first), ...others.map(attemptOf)], bound: held, ...limits };
}
