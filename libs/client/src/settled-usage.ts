import { NotSettledError } from './errors.js';
import type { Schema, Send } from './methods.js';
import { pause } from './time.js';

const DEFAULT_WAIT_MS = 60_000;
const FIRST_PAUSE_MS = 100;
/** So many that a minute of waiting is some twenty questions: reads have a limit, too. */
const GROWTH = 1.5;
const MAX_PAUSE_MS = 4_000;

export interface SettledUsageOptions {
  /** Milliseconds after which whoever waits gets `NotSettledError`. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
}

/** Settlement follows the answer by a moment; until then the row says `pending`, or is not there. */
export type SettledUsage = (executionId: string, options?: SettledUsageOptions) => Promise<Schema<'UsageEvent'>>;

export const settledUsage =
  (get: Send<'get'>): SettledUsage =>
  async (executionId, { waitMs = DEFAULT_WAIT_MS, signal } = {}) => {
    const endMs = performance.now() + waitMs;
    const query = { execution_id: executionId };
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * GROWTH)) {
      const { data } = await get('/auth/usage/history/v2', {
        params: { query },
        ...(signal === undefined ? {} : { signal }),
      });
      const [row] = data.data.items;
      if (row !== undefined && row.billing_snapshot_status !== 'pending') return row;
      if (performance.now() + pauseMs > endMs) throw new NotSettledError(executionId, row !== undefined);
      await pause(pauseMs, signal);
    }
  };
