import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from './api-key.js';
import { rowOfBudgets, type KeyBudgets } from './key-budgets.js';

// The count is exact because the caller holds the account's row lock.
const sql = `
INSERT INTO api_keys (api_key_id, account_id, key_hash, masked_value, name, scopes, issued_at, expires_at,
                      budget_micro, budget_period, session_budget_micro, project_id)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $10, $11, $12, $13
 WHERE (SELECT count(*) FROM api_keys
         WHERE account_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $7)) < $9`;

export interface NewApiKeyRow {
  readonly apiKeyId: string;
  readonly accountId: string;
  readonly keyHash: Buffer;
  readonly maskedValue: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly issuedAtMs: number;
  readonly expiresAtMs?: number;
  readonly budgets?: KeyBudgets;
  readonly projectId?: string;
}

/** False when the account already has `MAX_ACTIVE_KEYS_PER_ACCOUNT`. */
export async function insertApiKey(tx: pg.ClientBase, key: NewApiKeyRow): Promise<boolean> {
  const { rowCount } = await tx.query(sql, [
    key.apiKeyId,
    key.accountId,
    key.keyHash,
    key.maskedValue,
    key.name,
    key.scopes,
    toIso(key.issuedAtMs),
    key.expiresAtMs === undefined ? null : toIso(key.expiresAtMs),
    MAX_ACTIVE_KEYS_PER_ACCOUNT,
    ...rowOfBudgets(key.budgets ?? {}),
    key.projectId ?? null,
  ]);
  return rowCount === 1;
}
