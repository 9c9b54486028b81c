import type { ToolVerification } from '@capability-router/contracts';

const MINUTE_MS = 60_000;
/** Milliseconds after a first failure; each further one doubles them, up to the interval. */
const FIRST_RETRY_MS = 5 * MINUTE_MS;
/** Milliseconds after a run that could judge nothing: without money, or while a service was away. */
const NOTHING_JUDGED_RETRY_MS = 15 * MINUTE_MS;

/** `randomPart`: 0 to 1; takes up to a tenth off, so that tools that came together drift apart. */
function spread(delayMs: number, randomPart: number): number {
  return Math.round(delayMs * (1 - randomPart / 10));
}

/**
 * Milliseconds until the next run. `failures`: runs in a row that did not verify the tool, this one included; 0 where it
 * did.
 */
export function nextRunAfter(failures: number, intervalMs: number, randomPart: number): number {
  const delayMs = failures === 0 ? intervalMs : Math.min(intervalMs, FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 20));
  return spread(delayMs, randomPart);
}

export const retryAfterNothing = (randomPart: number): number => spread(NOTHING_JUDGED_RETRY_MS, randomPart);

const DAY_MS = 86_400_000;
/** Milliseconds over which tools begin again on a day of which the one before had no budget left. */
const MORNING_MS = 60 * MINUTE_MS;

/** Milliseconds until some time in the first hour of the next day of UTC. */
export const untilTomorrow = (nowMs: number, randomPart: number): number =>
  DAY_MS - (nowMs % DAY_MS) + Math.round(randomPart * MORNING_MS);

export const isPassed = ({ checks }: ToolVerification): boolean => checks.every(({ status }) => status === 'passed');
