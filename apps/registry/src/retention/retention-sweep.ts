import { toIso } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import { delay } from '@capability-router/service-kit';
import type pg from 'pg';
import type { BusLogger } from '@capability-router/event-bus';
import { deleteInSteps } from './delete-in-steps.js';
import type { AgingTable } from './delete-in-steps.js';

const DAY_MS = 86_400_000;
/** Milliseconds. */
const SWEEP_INTERVAL_MS = 3_600_000;

export interface RetentionPolicy {
  readonly payloadRetentionDays: number;
  readonly searchResultRetentionDays: number;
}

const payloads: AgingTable = { table: 'discovery_payloads', key: 'usage_event_id', age: 'created_at' };
const results: AgingTable = { table: 'search_results', key: 'search_id', age: 'created_at' };

/** Removes what is older than its retention. Resolves to the rows removed. */
export async function sweepRetention(pool: pg.Pool, nowMs: number, policy: RetentionPolicy): Promise<number> {
  const before = (days: number): string => toIso(nowMs - days * DAY_MS);
  return (
    (await deleteInSteps(pool, payloads, before(policy.payloadRetentionDays))) +
    (await deleteInSteps(pool, results, before(policy.searchResultRetentionDays)))
  );
}

/** Sweeps now and every hour. The returned function ends it and waits for the sweep in hand. */
export function startRetentionSweep(
  pool: pg.Pool,
  clock: Clock,
  policy: RetentionPolicy,
  logger: Pick<BusLogger, 'warn'>,
): () => Promise<void> {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await sweepRetention(pool, clock.nowMs(), policy).catch((error: unknown) => {
        logger.warn({ err: error }, 'the retention sweep failed; tries again in an hour');
      });
      await delay(SWEEP_INTERVAL_MS, stopping.signal);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
