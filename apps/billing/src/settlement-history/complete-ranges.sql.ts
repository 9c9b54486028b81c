import type pg from 'pg';
import { readInOrder } from '../queries/read-in-order.sql.js';

const sliceEndSql = `
SELECT created_at FROM ledger_entries WHERE account_id = $1 AND created_at >= $2 ORDER BY created_at OFFSET $3 LIMIT 1`;

/** When the entry was recorded that comes so many behind `from`; undefined where there are not as many. */
export async function recordedBehind(
  pool: pg.Pool,
  accountId: string,
  from: Date,
  entries: number,
): Promise<Date | undefined> {
  const values = [accountId, from, entries];
  const [next] = await readInOrder<{ readonly created_at: Date }>(pool, { text: sliceEndSql, values });
  return next?.created_at;
}
