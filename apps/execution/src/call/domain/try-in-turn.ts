import type { Attempt, Plan } from '../admission/domain/plan.js';
import type { Came } from '../outcome/domain/came.js';
import type { Skipped } from '../request/domain/call.js';
import { runHedged, type HedgedTurn } from './run-hedged.js';
import type { Tried } from './tried.js';

/**
 * Milliseconds: with less than this left, no attempt begins of which it is not known how long it takes. A provider that is asked
 * and not heard out may have done what it was asked for.
 */
export const MIN_ATTEMPT_MS = 50;

export interface TriedPlan<T> {
  /** The attempt that the plan ends with. Undefined where none had the time to begin. */
  readonly ended: Tried<T> | undefined;
  /** The attempts that came to their end, in the order in which they did. */
  readonly tried: readonly Tried<T>[];
  /** The attempt that began beside the one before it. */
  readonly hedge?: Attempt;
  /** The attempt that was given up, because the one beside it served. */
  readonly abandoned?: Attempt;
  /** The reasons why others did not begin, by their position. */
  readonly skipped: ReadonlyMap<number, Skipped>;
}

/** A plan is run by these. None of them rejects. */
export interface Turns<T> {
  /** Milliseconds that are left of the deadline of the plan, at the time of asking. */
  readonly leftMs: () => number;
  /** Asked before each attempt after the first: has the execution not ended elsewhere? */
  readonly mayGoOn: () => Promise<boolean>;
  /** Asked before each attempt: why is its tool not to be called any more? Undefined where it still is. */
  readonly whyGone: (attempt: Attempt) => Skipped | undefined;
  /** Asked before an attempt begins beside another: has the deployment one to spare? Where it has, that one is spent. */
  readonly takeHedge: () => boolean;
  /** Resolves after milliseconds, or when the signal comes. */
  readonly after: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Runs one attempt, within milliseconds from now, unless the signal gives it up. */
  readonly run: (attempt: Attempt, deadlineMs: number, signal?: AbortSignal) => Promise<Tried<T>>;
}

/**
 * Runs the attempts of a plan in order until one serves or none may begin any more; the second beside the first, where that is slow
 * and the plan allows it. The plan ends with the attempt that served or broke; where
 * there is none, with the last one that was sent; where none was sent, with the last one.
 */
export async function tryInTurn<T>(plan: Plan, turns: Turns<T>): Promise<TriedPlan<T>> {
  const { leftMs, mayGoOn, whyGone, run } = turns;
  const tried: Tried<T>[] = [];
  const skipped = new Map<number, Skipped>();
  let hedged: HedgedTurn<T> | undefined;
  let ended: Tried<T> | undefined;
  let over: Skipped['reason'] | undefined;
  for (const [index, attempt] of plan.attempts.entries()) {
    if (attempt === hedged?.hedge) continue;
    if (over === undefined && tried.length > 0 && !(await mayGoOn())) over = 'not_needed';
    const gone = over === undefined ? whyGone(attempt) : { reason: over };
    const deadlineMs = gone === undefined ? timeOf(plan, index, leftMs()) : undefined;
    if (deadlineMs === undefined) {
      skipped.set(attempt.position, gone ?? { reason: 'no_time' });
      continue;
    }
    if (index === 0) hedged = await firstTurn(plan, deadlineMs, turns);
    for (const last of hedged !== undefined && index === 0 ? hedged.ended : [await run(attempt, deadlineMs)]) {
      tried.push(last);
      const isSent = last.came !== 'not_sent';
      const isBroken = ended?.came === 'broken' && last.came !== 'served';
      if (ended === undefined || ended.came === 'not_sent' || (isSent && !isBroken)) ended = last;
    }
    over = ended === undefined ? undefined : overAfter(ended.came, plan);
  }
  const { hedge, abandoned } = hedged ?? {};
  return {
    ended,
    tried,
    skipped,
    ...(hedge === undefined ? {} : { hedge }),
    ...(abandoned === undefined ? {} : { abandoned }),
  };
}

/** Runs the first attempt of a plan whose second may begin beside it; undefined where it may not. */
async function firstTurn<T>(plan: Plan, deadlineMs: number, turns: Turns<T>): Promise<HedgedTurn<T> | undefined> {
  const { hedgeAfterMs, attempts } = plan;
  const [first, second] = attempts;
  if (hedgeAfterMs === undefined || second === undefined) return undefined;
  const { leftMs, mayGoOn, whyGone, takeHedge, after, run } = turns;
  return runHedged({
    pair: [first, second],
    afterMs: hedgeAfterMs,
    first: (signal) => run(first, deadlineMs, signal),
    second: async () => {
      const isWanted = (await mayGoOn()) && whyGone(second) === undefined;
      const timeMs = isWanted ? timeOf(plan, 1, leftMs()) : undefined;
      return timeMs === undefined || !takeHedge() ? undefined : (signal) => run(second, timeMs, signal);
    },
    after,
  });
}

/** Gives the reason why nothing may begin after such an attempt; undefined where the next one may. */
function overAfter(came: Came, { repeatable }: Plan): Skipped['reason'] | undefined {
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
