import type pg from 'pg';

const sql = `SELECT account_id FROM api_keys WHERE api_key_id = $1`;

/** The account of a key, whether it still works or not. */
export async function findKeyOwner(tx: pg.ClientBase, apiKeyId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ account_id: string }>(sql, [apiKeyId]);
  return rows[0]?.account_id;
}
