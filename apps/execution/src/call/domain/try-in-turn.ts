import type { SkipReason } from '@capability-router/contracts';
import type { Attempt, Plan } from '../admission/domain/plan.js';
import type { Came } from '../outcome/domain/came.js';

/**
 * Milliseconds: with less than this left, no attempt begins of which it is not known how long it takes. A provider that is asked
 * and not heard out may have done what it was asked for.
 */
export const MIN_ATTEMPT_MS = 50;

export interface Tried<T> {
  readonly attempt: Attempt;
  readonly came: Came;
  readonly value: T;
}

export interface TriedPlan<T> {
  /** The attempt that the plan ends with. Undefined where none had the time to begin. */
  readonly ended: Tried<T> | undefined;
  /** The attempts that began, in their order. */
  readonly tried: readonly Tried<T>[];
  /** The reasons why others did not begin, by their position. */
  readonly skipped: ReadonlyMap<number, SkipReason>;
}

/** A plan is run by these. None of them rejects. */
export interface Turns<T> {
  /** Milliseconds that are left of the deadline of the plan, at the time of asking. */
  readonly leftMs: () => number;
  /** Asked before each attempt after the first: has the execution not ended elsewhere? */
  readonly mayGoOn: () => Promise<boolean>;
  /** Runs one attempt, within milliseconds from now. */
  readonly run: (attempt: Attempt, deadlineMs: number) => Promise<Tried<T>>;
}

/**
 * Runs the attempts of a plan in order until one serves or none may begin any more. The plan ends with the attempt that served or broke; where
 * there is none, with the last one that was sent; where none was sent, with the last one.
 */
export async function tryInTurn<T>(plan: Plan, { leftMs, mayGoOn, run }: Turns<T>): Promise<TriedPlan<T>> {
  const tried: Tried<T>[] = [];
  const skipped = new Map<number, SkipReason>();
  let ended: Tried<T> | undefined;
  let over: SkipReason | undefined;
  for (const [index, attempt] of plan.attempts.entries()) {
    if (over === undefined && tried.length > 0 && !(await mayGoOn())) over = 'not_needed';
    const deadlineMs = over === undefined ? timeOf(plan, index, leftMs()) : undefined;
    if (deadlineMs === undefined) {
      skipped.set(attempt.position, over ?? 'no_time');
      continue;
    }
    const last = await run(attempt, deadlineMs);
    tried.push(last);
    if (last.came !== 'not_sent' || ended === undefined || ended.came === 'not_sent') ended = last;
    over = overAfter(last.came, plan);
  }
  return { ended, tried, skipped };
}

/** Gives the reason why nothing may begin after such an attempt; undefined where the next one may. */
function overAfter(came: Came, { repeatable }: Plan): SkipReason | undefined {
  if (came === 'served' || came === 'broken') return 'not_needed';
  return came === 'uncertain' && !repeatable ? 'not_repeatable' : undefined;
}

/**
 * Milliseconds that an attempt may take of those that are left; undefined where it cannot begin. It leaves those after it what they usually
 * need, as many of them in their order as there is time for. Not so in a plan that is not repeatable: an attempt that is given
 * up is the last one there, so nothing would come of the time that it leaves.
 */
function timeOf({ attempts, repeatable }: Plan, index: number, leftMs: number): number | undefined {
  const attempt = attempts[index];
  if (attempt === undefined) return undefined;
  const { timeoutMs } = attempt.tool;
  // The one attempt of a Call always begins: its start and its hold are on record, and its tool has the time that is left.
  if (attempts.length === 1 && attempt.result === undefined) return Math.max(1, Math.min(timeoutMs, leftMs));
  const needed = neededMs(attempt);
  if (leftMs < needed) return undefined;
  let free = 0;
  for (const later of repeatable ? attempts.slice(index + 1) : []) {
    if (free + neededMs(later) > leftMs - needed) break;
    free += neededMs(later);
  }
  return Math.min(timeoutMs, leftMs - free);
}

const neededMs = ({ tool, expectedMs = MIN_ATTEMPT_MS }: Attempt): number =>
  Math.min(tool.timeoutMs, Math.max(1, expectedMs));
