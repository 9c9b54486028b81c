import type { ExecutionStarted } from '@capability-router/contracts';
import type pg from 'pg';

/** Executions that one sweep interrupts; the next sweep goes on. */
const MAX_INTERRUPTED_PER_SWEEP = 500;
/** Owners lapsed for longer than this have nothing left to interrupt. */
const FORGET_OWNERS_AFTER = '1 hour';

/** Each start is looked up by itself: joined, a plan made while the table was empty would read the whole of it. */
const lapsedSql = `
SELECT started.data
  FROM running_executions running
  CROSS JOIN LATERAL (
    SELECT data FROM events WHERE stream_id = running.execution_id AND sequence = 1 LIMIT 1
  ) AS started
  LEFT JOIN execution_owners owner ON owner.owner_id = running.owner_id
 WHERE coalesce(owner.lease_until, '-infinity') <= clock_timestamp() OR running.give_up_at <= clock_timestamp()
 ORDER BY running.give_up_at LIMIT ${MAX_INTERRUPTED_PER_SWEEP}`;

const forgetOwnersSql = `
DELETE FROM execution_owners WHERE lease_until < clock_timestamp() - interval '${FORGET_OWNERS_AFTER}'`;

/** The starts of executions whose owner's lease has lapsed, or that are past their deadline and the grace. */
export async function findLapsed(pool: pg.Pool): Promise<ExecutionStarted[]> {
  const { rows } = await pool.query<{ data: ExecutionStarted }>(lapsedSql);
  return rows.map(({ data }) => data);
}

export async function forgetOwners(pool: pg.Pool): Promise<void> {
  await pool.query(forgetOwnersSql);
}
