import type { ToolVerification } from '@capability-router/contracts';

/** The kept verification of a tool, without its evidence. */
export interface KnownVerification {
  readonly requested: boolean;
  readonly triedVersion: number | undefined;
  /** Milliseconds since the epoch; a run is under way until then at most. 0 where none has begun that has not ended. */
  readonly claimedUntilMs: number;
  readonly nextDueMs: number;
  readonly verdict: ToolVerification | undefined;
  /** The last run could judge nothing: money, a credential or a service was missing. */
  readonly isUnjudged: boolean;
}
