import { toIso } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import { delay } from '@capability-router/service-kit';
import type pg from 'pg';
import type { BusLogger } from '@capability-router/event-bus';

const DAY_MS = 86_400_000;
/** Milliseconds. */
const SWEEP_INTERVAL_MS = 3_600_000;
/** Rows of one statement, so that none holds back readers of the event store. */
const MAX_ROWS_PER_STATEMENT = 1_000;
/** Statements of one sweep and table; what is left waits for the next. */
const MAX_STATEMENTS_PER_SWEEP = 500;

export interface RetentionPolicy {
  readonly payloadRetentionDays: number;
  readonly searchResultRetentionDays: number;
}

/** SKIP LOCKED lets the sweepers of several replicas share the work. */
const deleteSql = (table: string, key: string): string => `
  DELETE FROM ${table} WHERE ${key} IN (
    SELECT ${key} FROM ${table} WHERE created_at < $1 ORDER BY created_at LIMIT ${MAX_ROWS_PER_STATEMENT} FOR UPDATE SKIP LOCKED)`;
const deletePayloadsSql = deleteSql('discovery_payloads', 'usage_event_id');
const deleteResultsSql = deleteSql('search_results', 'search_id');

/** Removes what is older than its retention. Resolves to the rows removed. */
export async function sweepRetention(pool: pg.Pool, nowMs: number, policy: RetentionPolicy): Promise<number> {
  const before = (days: number): string => toIso(nowMs - days * DAY_MS);
  const payloads = await deleteOlder(pool, deletePayloadsSql, before(policy.payloadRetentionDays));
  const results = await deleteOlder(pool, deleteResultsSql, before(policy.searchResultRetentionDays));
  return payloads + results;
}

async function deleteOlder(pool: pg.Pool, sql: string, before: string): Promise<number> {
  let removed = 0;
  for (let statement = 0; statement < MAX_STATEMENTS_PER_SWEEP; statement += 1) {
    const { rowCount } = await pool.query(sql, [before]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < MAX_ROWS_PER_STATEMENT) break;
  }
  return removed;
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
