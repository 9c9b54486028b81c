import type pg from 'pg';

const sql = `UPDATE accounts SET region = $2 WHERE account_id = $1 AND region IS DISTINCT FROM $2`;

/** False where the account has this region already. */
export async function updateAccountRegion(
  tx: pg.ClientBase,
  accountId: string,
  region: string | undefined,
): Promise<boolean> {
  const { rowCount } = await tx.query(sql, [accountId, region ?? null]);
  return rowCount === 1;
}
