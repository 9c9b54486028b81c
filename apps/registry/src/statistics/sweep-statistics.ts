import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { deleteInSteps } from '../retention/delete-in-steps.sql.js';
import { dayOf } from './domain/buckets.js';

const DAY_MS = 86_400_000;
/**
 * Days for which it is remembered that an execution was counted. An event comes twice when a relay dies between
 * publishing and its checkpoint, and then at once or when the relay is back.
 */
const COUNTED_RETENTION_DAYS = 7;

/** Removes days outside the window and old marks of what was counted. Resolves to the rows removed. */
export async function sweepStatistics(pool: pg.Pool, nowMs: number, windowDays: number): Promise<number> {
  const buckets = await deleteInSteps(
    pool,
    { table: 'statistics_buckets', key: 'subject, day', age: 'day' },
    dayOf(nowMs - windowDays * DAY_MS),
  );
  const counted = await deleteInSteps(
    pool,
    { table: 'counted_executions', key: 'execution_id', age: 'counted_at' },
    toIso(nowMs - COUNTED_RETENTION_DAYS * DAY_MS),
  );
  return buckets + counted;
}
