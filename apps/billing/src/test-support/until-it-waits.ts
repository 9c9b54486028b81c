import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Milliseconds. */
const POLL_MS = 10;
const waitingSql = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Resolves once a statement waits for a lock in the database of a test. Throws where `acting` ends before it came to that. */
export async function untilItWaits(pool: pg.Pool, acting: Promise<unknown>): Promise<void> {
  const ended = acting.then(
    () => true,
    () => true,
  );
  while ((await pool.query(waitingSql)).rowCount === 0) {
    if (await Promise.race([ended, sleep(POLL_MS, false)])) throw new Error('it ended without waiting');
  }
}
