import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds. Settlement takes a batch interval and a few hops; the rest is for a busy machine. */
const TIMEOUT_MS = 30_000;
const INTERVAL_MS = 100;

/** Runs `attempt` until it no longer throws, and gives its value; after the time-out its last error. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await sleep(INTERVAL_MS);
    }
  }
}
