/** Whether calls fail so often that few or none should go there. Times are milliseconds since the epoch. */
export interface Breaker {
  /** Failures since the last success. */
  readonly failuresInRow: number;
  /** The account that all of these failures are of; absent where they are of several, or none. */
  readonly failingAccount?: string;
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
  /** The account that alone met the failures: for the others it is closed, so that nobody keeps a provider from everybody by requests that fail. */
  readonly onlyFor?: string;
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

/** A call that has ended. Times are milliseconds since the epoch. */
export interface EndedCall {
  readonly success: boolean;
  readonly startedMs: number;
  readonly endedMs: number;
  readonly accountId: string;
}

/** The breaker after one more call. */
export function afterCall(breaker: Breaker, { success, startedMs, endedMs: atMs, accountId }: EndedCall): Breaker {
  const row = rowAfter(breaker, success, accountId);
  const { open } = breaker;
  const isFull = row.failuresInRow >= OPENING_FAILURES;
  if (open === undefined) return isFull ? { ...row, open: openedAt(atMs, 0, row.failingAccount) } : row;
  if (open.onlyFor !== undefined && open.onlyFor !== accountId) {
    return !success && isFull ? { ...row, open: openedAt(atMs, open.reopened, row.failingAccount) } : { ...row, open };
  }
  // Calls that were under way when it opened say nothing new.
  if (startedMs < openedMs(open) || atMs < open.untilMs) return { ...row, open };
  if (!success) return { ...row, open: openedAt(atMs, open.reopened + 1, open.onlyFor) };
  const successes = open.successes + 1;
  return successes < CLOSING_SUCCESSES ? { ...row, open: { ...open, successes } } : row;
}

/** The failures since the last success, and whose they are. */
function rowAfter({ failuresInRow, failingAccount }: Breaker, success: boolean, accountId: string): Breaker {
  if (success) return closedBreaker;
  const isOneAccounts = failuresInRow === 0 || failingAccount === accountId;
  return { failuresInRow: failuresInRow + 1, ...(isOneAccounts ? { failingAccount: accountId } : {}) };
}

const openForMs = (reopened: number): number => Math.min(OPEN_MS * 2 ** reopened, MAX_OPEN_MS);
/** The time when it opened; it is not kept beside the end, which tells it. */
const openedMs = ({ untilMs, reopened }: OpenBreaker): number => untilMs - openForMs(reopened);

const openedAt = (atMs: number, reopened: number, onlyFor: string | undefined): OpenBreaker => ({
  untilMs: atMs + openForMs(reopened),
  reopened,
  successes: 0,
  ...(onlyFor === undefined ? {} : { onlyFor }),
});

/** Is the account among those that it is open for, or was and is taken back? */
export const concerns = ({ open }: Breaker, accountId: string): boolean =>
  open !== undefined && (open.onlyFor === undefined || open.onlyFor === accountId);

/**
 * The share of the account's requests that may reach it now, 0 to 1: all while it is closed and none while it is open; then it grows with the time
 * and with each success, so that what has come back is not overrun.
 */
export function admittedShare(breaker: Breaker, nowMs: number, accountId: string): number {
  const { open } = breaker;
  if (open === undefined || !concerns(breaker, accountId)) return 1;
  const waited = nowMs - open.untilMs;
  if (waited < 0) return 0;
  const byTime = FIRST_SHARE + (1 - FIRST_SHARE) * (waited / RAMP_MS);
  return Math.min(1, Math.max(byTime, open.successes / CLOSING_SUCCESSES));
}
