import type pg from 'pg';
import type { UsageFilter } from './usage-filter.js';
import { usageWhere } from './usage-where.sql.js';

/** Micro-credits, as a decimal string; null where nothing matches. */
export async function readSpent(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
): Promise<string | null | undefined> {
  const { sql, values } = usageWhere(accountId, filter);
  const { rows } = await pool.query<{ spent: string | null }>(
    `SELECT sum(u.settled_micro - u.refunded_micro) AS spent FROM usage_events u WHERE ${sql}`,
    values,
  );
  return rows[0]?.spent;
}
