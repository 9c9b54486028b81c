import type {
  AccountAssertion,
  ExecutionFacts,
  PlannedCapability,
  ResultFields,
  ToolContract,
  ValueMapping,
} from '@capability-router/contracts';
import { creditsFromMicro, type Credits, type ExecutionId, type JsonObject } from '@capability-router/kernel';
import { upperBound } from '@capability-router/tool-calls';
import { MAX_CALL_DEADLINE_MS } from '../../domain/deadlines.js';
import type { PartialRequest } from '../../request/domain/call.js';
import { factsOf } from './execution-facts.js';

/** A tool that a plan may run, in the version and at the price that are frozen for it. */
export interface Candidate {
  /** The place of the candidate among those that were asked for, from 0. */
  readonly position: number;
  readonly tool: ToolContract;
  readonly parameters: JsonObject;
  /** Milliseconds that the tool usually needs at most; what is not known is not kept free. */
  readonly expectedMs?: number;
  /** The fields that a result must have to serve, and the way in which it is made out of the tool's. Absent: the tool's own result serves. */
  readonly result?: { readonly mapping: ValueMapping | undefined; readonly fields: ResultFields };
}

export interface Attempt extends Candidate {
  /** The most that it may cost. */
  readonly bound: Credits;
  /** The end says this of the call where the execution ends with this attempt. */
  readonly facts: ExecutionFacts;
}

/**
 * The attempts that one execution may run, in order until one serves, under one hold and within one deadline. It has one end and at
 * most one charge, that of the attempt that served. A Call is the plan with one attempt.
 */
export interface Plan {
  readonly attempts: readonly [Attempt, ...Attempt[]];
  /** The amount that is held: the most that any attempt may cost, and what the first two may cost together where they may run at once. */
  readonly bound: Credits;
  /** Milliseconds after which the second attempt may begin beside the first, if that has not ended. Absent: one runs at a time. */
  readonly hedgeAfterMs?: number;
  /** Milliseconds from the start of the execution, for all attempts together; from 1 to `MAX_CALL_DEADLINE_MS`. */
  readonly deadlineMs: number;
  /** Whether another attempt may begin after one whose provider may have done what it was asked for. */
  readonly repeatable: boolean;
}

export interface PlanLimits extends Pick<Plan, 'deadlineMs' | 'repeatable'> {
  /** The execution may cost no more than this; attempts that may cost more are left out. */
  readonly maxCost?: Credits;
  /** Whether the first two attempts may run at once, where both together are within `maxCost`. */
  readonly hedged?: boolean;
}

export interface PlanSubject {
  readonly executionId: ExecutionId;
  readonly assertion: AccountAssertion;
  /** The request says by these where the call belongs. */
  readonly partial: PartialRequest;
  /** Absent where a tool was called by its name. */
  readonly capability?: PlannedCapability;
}

/** Undefined where no candidate is within the limits. */
export function planOf(
  { executionId, assertion, partial, capability }: PlanSubject,
  candidates: readonly Candidate[],
  { deadlineMs, repeatable, maxCost, hedged = false }: PlanLimits,
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
  const within = attempts.filter(({ bound }) => maxCost === undefined || bound <= maxCost);
  const unheld = { attempts: within, deadlineMs: clamped, repeatable };
  const pair = hedged && repeatable ? hedgeOf(unheld) : undefined;
  return heldFor(unheld, pair === undefined || (maxCost !== undefined && pair.bound > maxCost) ? undefined : pair);
}

/** A plan of which it is not known yet what is to be held. */
type Unheld = Pick<Plan, 'deadlineMs' | 'repeatable'> & { readonly attempts: readonly Attempt[] };

/**
 * The plan for which there is the next smaller hold: the same with one attempt at a time, or else without its dearest attempts;
 * undefined where all attempts cost the same. Where money is short, none run at once.
 */
export function withoutDearest(plan: Plan): Plan | undefined {
  const inTurn = heldFor(plan);
  if (inTurn !== undefined && inTurn.bound < plan.bound) return inTurn;
  return heldFor({ ...plan, attempts: plan.attempts.filter(({ bound }) => bound < plan.bound) });
}

interface Hedge {
  readonly afterMs: number;
  /** Credits that both attempts may cost together. */
  readonly bound: Credits;
}

/** Undefined where there is no second attempt, or it is not known how long the first one usually takes. */
function hedgeOf({ attempts: [first, second], deadlineMs }: Unheld): Hedge | undefined {
  if (first?.expectedMs === undefined || second === undefined || first.expectedMs >= deadlineMs) return undefined;
  return { afterMs: first.expectedMs, bound: creditsFromMicro(first.bound + second.bound) };
}

/** The hold is the most that may have to be paid for at any time. Undefined where there is no attempt. */
function heldFor({ attempts, deadlineMs, repeatable }: Unheld, hedge?: Hedge): Plan | undefined {
  const [first, ...others] = attempts;
  if (first === undefined) return undefined;
  const bound = [...others, ...(hedge === undefined ? [] : [hedge])].reduce(
    (most, one) => (one.bound > most ? one.bound : most),
    first.bound,
  );
  const held = (attempt: Attempt): Attempt => ({
    ...attempt,
    facts: { ...attempt.facts, holdMicroCredits: bound.toString() },
  });
  const plan = { attempts: [held(first), ...others.map(held)], bound, deadlineMs, repeatable } as const;
  return hedge === undefined ? plan : { ...plan, hedgeAfterMs: hedge.afterMs };
}
