import type pg from 'pg';

// Reads go on: what is verified meanwhile has the plans of before.
const sql = `LOCK TABLE rate_limit_plans IN SHARE ROW EXCLUSIVE MODE`;

/** Plans change one after another, so that their count and their streams are exact. */
export async function lockPlans(tx: pg.ClientBase): Promise<void> {
  await tx.query(sql);
}
