import { toIso } from '@capability-router/kernel';
import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';
import { deleteCounters } from './purge-counters.sql.js';
import { DAY_MS, utcDayOf } from './registration-caps.js';

/** Rows of one statement, so that no purge holds a long transaction, and statements of one round. */
const BATCHES = { rows: 5_000, statements: 2_000 };

/** Counters name client addresses, so they are kept no longer than a day past their own. Resolves to the rows removed. */
export async function purgeRegistrationCounters(pool: pg.Pool, nowMs: number): Promise<number> {
  const before = toIso(utcDayOf(nowMs).startMs - DAY_MS);
  return repeatWhileFull((limit) => deleteCounters(pool, before, limit), BATCHES);
}
