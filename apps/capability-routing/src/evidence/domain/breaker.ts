/** Whether calls fail so often that few or none should go there. Times are milliseconds since the epoch. */
export interface Breaker {
  /** Failures since the last success. */
  readonly failuresInRow: number;
  /** Absent while it is closed. */
  readonly open?: OpenBreaker;
}

export interface OpenBreaker {
  /** Until then nothing is to be sent there. */
  readonly untilMs: number;
  /** How often it has been opened again without having been closed. */
  readonly reopened: number;
  /** Successes since then. */
  readonly successes: number;
}

export const closedBreaker: Breaker = { failuresInRow: 0 };

/** Failures in a row that open it. */
export const OPENING_FAILURES = 5;
/** Milliseconds for which it is open; twice as long each time that it is opened again, up to the maximum. */
export const OPEN_MS = 10_000;
export const MAX_OPEN_MS = 300_000;
/** Successes after which it is closed. */
export const CLOSING_SUCCESSES = 10;
/** Share of the requests that may reach it once the time is over, and the milliseconds within which that grows to all. */
export const FIRST_SHARE = 0.05;
export const RAMP_MS = 60_000;

/** The breaker after one more call, which ended at `atMs`. */
export function afterCall(breaker: Breaker, success: boolean, atMs: number): Breaker {
  const { open } = breaker;
  const failuresInRow = success ? 0 : breaker.failuresInRow + 1;
  if (open === undefined) {
    return failuresInRow < OPENING_FAILURES ? { failuresInRow } : { failuresInRow, open: openedAt(atMs, 0) };
  }
  // Calls that were under way when it opened say nothing new.
  if (atMs < open.untilMs) return { failuresInRow, open };
  if (!success) return { failuresInRow, open: openedAt(atMs, open.reopened + 1) };
  const successes = open.successes + 1;
  return successes < CLOSING_SUCCESSES ? { failuresInRow, open: { ...open, successes } } : { failuresInRow };
}

const openedAt = (atMs: number, reopened: number): OpenBreaker => ({
  untilMs: atMs + Math.min(OPEN_MS * 2 ** reopened, MAX_OPEN_MS),
  reopened,
  successes: 0,
});

/**
 * The share of the requests that may reach it now, 0 to 1: all while it is closed and none while it is open; then it grows with the time
 * and with each success, so that what has come back is not overrun.
 */
export function admittedShare({ open }: Breaker, nowMs: number): number {
  if (open === undefined) return 1;
  const waited = nowMs - open.untilMs;
  if (waited < 0) return 0;
  const byTime = FIRST_SHARE + (1 - FIRST_SHARE) * (waited / RAMP_MS);
  return Math.min(1, Math.max(byTime, open.successes / CLOSING_SUCCESSES));
}
