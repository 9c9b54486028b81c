import type { Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { dayOf, summarise } from './domain/buckets.js';
import { claimDue, readBuckets, saveSummaries } from './summaries.sql.js';

/** Subjects in one transaction: at most as many rows as this times the days of the window. */
const SUBJECTS_PER_TRANSACTION = 100;
/** Transactions of one round; what is left waits for the next. */
const MAX_TRANSACTIONS_PER_ROUND = 100;
const DAY_MS = 86_400_000;

/**
 * Adds up the window of every subject whose buckets have changed, and of every one whose window has moved on since
 * yesterday. Replicas share the work. Resolves to the number of subjects.
 */
export async function summariseStatistics(pool: pg.Pool, clock: Clock, windowDays: number): Promise<number> {
  const nowMs = clock.nowMs();
  const [today, fromDay] = [dayOf(nowMs), dayOf(nowMs - windowDays * DAY_MS)];
  let done = 0;
  for (let round = 0; round < MAX_TRANSACTIONS_PER_ROUND; round += 1) {
    const subjects = await inTransaction(pool, async (tx) => {
      // The mark is cleared before the buckets are read: what is counted meanwhile sets it again.
      const claimed = await claimDue(tx, today, SUBJECTS_PER_TRANSACTION);
      if (claimed.length === 0) return 0;
      const buckets = await readBuckets(tx, claimed, fromDay);
      await saveSummaries(tx, new Map([...buckets].map(([subject, days]) => [subject, summarise(days)])));
      return claimed.length;
    });
    done += subjects;
    if (subjects < SUBJECTS_PER_TRANSACTION) break;
  }
  return done;
}
