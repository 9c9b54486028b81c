import type {
  AccountAssertion,
  ExecutionFacts,
  PlannedCapability,
  ResultFields,
  ToolContract,
  ValueMapping,
} from '@capability-router/contracts';
import type { Credits, ExecutionId, JsonObject } from '@capability-router/kernel';
import { upperBound } from '@capability-router/tool-calls';
import { MAX_CALL_DEADLINE_MS } from '../deadlines.js';
import type { PartialRequest } from '../request/execute-request.js';
import { factsOf } from './execution-facts.js';

/** A tool that a plan may run, in the version and at the price that are frozen for it. */
export interface Candidate {
  /** Where it stands among those that were asked for, from 0. */
  readonly position: number;
  readonly tool: ToolContract;
  readonly parameters: JsonObject;
  /** Milliseconds that the tool usually needs at most; what is not known is not kept free. */
  readonly expectedMs?: number;
  /** What the result must be to serve, and how it is made out of the tool's. Absent: the tool's own result serves. */
  readonly result?: { readonly mapping: ValueMapping | undefined; readonly fields: ResultFields };
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
  /** Milliseconds from the start of the execution, for all attempts together; from 1 to `MAX_CALL_DEADLINE_MS`. */
  readonly deadlineMs: number;
  /** Whether another attempt may begin after one whose provider may have done what it was asked for. */
  readonly repeatable: boolean;
}

export interface PlanLimits extends Pick<Plan, 'deadlineMs' | 'repeatable'> {
  /** What the execution may cost at most; attempts that may cost more are left out. */
  readonly maxCost?: Credits;
}

export interface PlanSubject {
  readonly executionId: ExecutionId;
  readonly assertion: AccountAssertion;
  /** What the request says of where the call belongs. */
  readonly partial: PartialRequest;
  /** Absent where a tool was called by its name. */
  readonly capability?: PlannedCapability;
}

/** Undefined where no candidate is within the limits. */
export function planOf(
  { executionId, assertion, partial, capability }: PlanSubject,
  candidates: readonly Candidate[],
  { deadlineMs, repeatable, maxCost }: PlanLimits,
): Plan | undefined {
  const attempts = candidates.map((candidate): Attempt => {
    const { tool, parameters } = candidate;
    const bound = upperBound(tool.price, parameters);
    const named = { ...partial, toolId: tool.toolId };
    const of = capability === undefined ? {} : { capability };
    const facts = factsOf({ executionId, assertion, partial: named, tool, parameters, bound, ...of });
    return { ...candidate, bound, facts };
  });
  const clamped = Math.min(Math.max(1, Math.floor(deadlineMs)), MAX_CALL_DEADLINE_MS);
  return planWithin({ attempts, deadlineMs: clamped, repeatable }, maxCost);
}

/**
 * The attempts of a plan that cost no more than `most`, in their order; what is held is the most that any of them may cost.
 * Undefined where there is none.
 */
export function planWithin(
  plan: Pick<Plan, 'deadlineMs' | 'repeatable'> & { readonly attempts: readonly Attempt[] },
  most: Credits | undefined,
): Plan | undefined {
  const within = plan.attempts.filter(({ bound }) => most === undefined || bound <= most);
  const [first, ...others] = within;
  if (first === undefined) return undefined;
  const bound = others.reduce((dearest, attempt) => (attempt.bound > dearest ? attempt.bound : dearest), first.bound);
  const held = (attempt: Attempt): Attempt => ({
    ...attempt,
    facts: { ...attempt.facts, holdMicroCredits: bound.toString() },
  });
  const { deadlineMs, repeatable } = plan;
  return { attempts: [held(first), ...others.map(held)], bound, deadlineMs, repeatable };
}
