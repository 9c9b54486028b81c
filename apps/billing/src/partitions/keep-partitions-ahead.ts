import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { addPartition, partitionedTables } from './partitions.sql.js';

/** Months after the current one that have their partitions. */
export const MONTHS_AHEAD = 3;
/** Partitions that one round adds to one table: more than two years are refused by the database. */
const MAX_PARTITIONS_PER_ROUND = 30;

/**
 * Adds the partitions of the months to come, and turns a default partition that has rows into one of its own. Each is a
 * transaction of its own that waits for locks for a second at most; what fails is tried again in the next round. Several
 * replicas may do so at once.
 * @returns partitions that were added
 */
export async function keepPartitionsAhead(
  pool: pg.Pool,
  clock: Clock,
  tables: readonly string[] = partitionedTables,
): Promise<number> {
  const until = monthStart(clock.nowMs(), MONTHS_AHEAD + 1);
  let added = 0;
  const failures: unknown[] = [];
  for (const table of tables) {
    try {
      added += await extend(pool, table, until);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not every table has its partitions');
  return added;
}

async function extend(pool: pg.Pool, table: string, until: Date): Promise<number> {
  for (let added = 0; added < MAX_PARTITIONS_PER_ROUND; added += 1) {
    if (!(await addPartition(pool, table, until))) return added;
  }
  return MAX_PARTITIONS_PER_ROUND;
}

/** The beginning of the month that comes so many months after the one of `nowMs`, in UTC. */
function monthStart(nowMs: number, monthsLater: number): Date {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + monthsLater, 1));
}
