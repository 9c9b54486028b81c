import type { SkipReason } from '@capability-router/contracts';
import type { RefusedCall } from '@capability-router/provider-kit';
import type { Attempt } from '../../admission/domain/plan.js';
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
  /** The attempts that began, in their order. */
  readonly ran: readonly RanAttempt[];
  /** The reasons why others did not begin, by their position. */
  readonly skipped: ReadonlyMap<number, SkipReason>;
}

/** Nothing of a plan began, for one reason. */
export const noneBegan = ({ attempts }: { readonly attempts: readonly Attempt[] }, reason: SkipReason): Ran => ({
  last: undefined,
  ran: [],
  skipped: new Map(attempts.map(({ position }) => [position, reason])),
});
