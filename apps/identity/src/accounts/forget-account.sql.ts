import { toIso } from '@capability-router/kernel';
import type pg from 'pg';

/** Stands where a name must be. */
const ERASED_NAME = 'erased';

const keysSql = `DELETE FROM api_keys WHERE account_id = $1 RETURNING api_key_id, revoked_at`;
const agentSql = `DELETE FROM trial_agents WHERE account_id = $1`;
const accountSql = `
UPDATE accounts SET status = 'closed', name = $2, email = NULL, region = NULL, erased_at = $3 WHERE account_id = $1`;

/**
 * Removes everything about a person from an account that the caller has locked: name, e-mail address, keys, agent and
 * claim code. The id stays, because money is booked under it. Resolves to the keys that were not revoked before.
 */
export async function forgetAccount(tx: pg.ClientBase, accountId: string, nowMs: number): Promise<string[]> {
  const { rows } = await tx.query<{ api_key_id: string; revoked_at: Date | null }>(keysSql, [accountId]);
  await tx.query(agentSql, [accountId]);
  await tx.query(accountSql, [accountId, ERASED_NAME, toIso(nowMs)]);
  return rows.filter((row) => row.revoked_at === null).map((row) => row.api_key_id);
}
