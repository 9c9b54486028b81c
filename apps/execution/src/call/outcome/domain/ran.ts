import type { SkipReason } from '@capability-router/contracts';
import type { RefusedCall } from '@capability-router/provider-kit';
import type { Attempt } from '../../admission/domain/plan.js';
import type { Skipped } from '../../request/domain/call.js';
import type { Obtained } from './obtained.js';

/** The result of one attempt. */
export type AttemptResult =
  | { readonly obtained: Obtained }
  /** Nothing was sent. */
  | { readonly refused: RefusedCall }
  /** A fault of ours. */
  | { readonly thrown: unknown };

/** An attempt that began. */
export type RanAttempt = { readonly attempt: Attempt; readonly elapsedMs: number } & AttemptResult;

/** The result of a plan. */
export interface Ran {
  /** The attempt that the plan ends with; undefined where none had the time to begin. */
  readonly last: RanAttempt | undefined;
  /** The attempts that came to their end, in the order in which they did. */
  readonly ran: readonly RanAttempt[];
  /** The attempt that began beside the one before it. */
  readonly hedge?: Attempt;
  /** The attempt that was given up because the one beside it served; milliseconds for which it had run by then. */
  readonly abandoned?: { readonly attempt: Attempt; readonly elapsedMs: number };
  /** The reasons why others did not begin, by their position. */
  readonly skipped: ReadonlyMap<number, Skipped>;
}

/** Nothing of a plan began, for one reason. */
export const noneBegan = ({ attempts }: { readonly attempts: readonly Attempt[] }, reason: SkipReason): Ran => ({
  last: undefined,
  ran: [],
  skipped: new Map(attempts.map(({ position }) => [position, { reason }])),
});
