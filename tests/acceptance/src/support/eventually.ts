import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. Settlement takes a batch interval and a few hops; the rest is for a busy machine. */
const TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 100;
/** Each pause is longer than the one before, so that no more than some forty attempts are made: an account has its limits. */
const GROWTH = 1.2;
const MOST_PAUSE_MS = 2_000;

/** Runs `attempt` until it no longer throws, and gives its value; after the time-out its last error. */
export async function eventually<T>(attempt: () => Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  const deadlineMs = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MOST_PAUSE_MS, pauseMs * GROWTH)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await sleep(pauseMs);
    }
  }
}
