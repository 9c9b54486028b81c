import type { ApiKeyIssued } from '@capability-router/contracts';
import type { AccountId } from '@capability-router/kernel';
import type pg from 'pg';

const bookedSql = 'SELECT grant_ref FROM credit_lots WHERE grant_ref = ANY($1)';

/** The grants, of these, that have a lot. Nothing else books one while their accounts are locked. */
export async function bookedGrants(tx: pg.PoolClient, grantRefs: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ grant_ref: string }>(bookedSql, [grantRefs]);
  return new Set(rows.map((row) => row.grant_ref));
}

const grantedSql = 'SELECT FROM credit_lots WHERE grant_ref = $1 AND account_id = $2';

export async function isGranted(pool: pg.Pool, accountId: AccountId, grantRef: string): Promise<boolean> {
  return (await pool.query(grantedSql, [grantRef, accountId])).rowCount !== 0;
}

const erasedSql = 'SELECT FROM erased_accounts WHERE account_id = $1';

export async function isErased(tx: pg.PoolClient, accountId: AccountId): Promise<boolean> {
  return (await tx.query(erasedSql, [accountId])).rowCount !== 0;
}

const labelKeysSql = `
INSERT INTO api_key_labels (api_key_id, account_id, name, masked_value)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS v (api_key_id, account_id, name, masked_value)
 WHERE NOT EXISTS (SELECT FROM erased_accounts e WHERE e.account_id = v.account_id)
ON CONFLICT (api_key_id) DO NOTHING`;

/**
 * Keeps the labels by which the audit names the keys of an account; the first label stays. Those of an account that was
 * erased are not kept, however often its events come.
 */
export async function labelKeys(tx: pg.PoolClient, keys: readonly ApiKeyIssued[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query(labelKeysSql, [
    keys.map((key) => key.apiKeyId),
    keys.map((key) => key.accountId),
    keys.map((key) => key.name),
    keys.map((key) => key.maskedValue),
  ]);
}
