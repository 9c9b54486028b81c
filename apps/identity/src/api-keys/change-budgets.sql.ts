import type pg from 'pg';
import { keyBudgetColumns, rowOfBudgets } from './key-budgets.js';
import type { KeyBudgetColumns, KeyBudgets } from './key-budgets.js';

const readSql = `SELECT k.revoked_at AS "revokedAt", ${keyBudgetColumns} FROM api_keys k WHERE k.api_key_id = $1`;
const writeSql = `
UPDATE api_keys SET budget_micro = $2, budget_period = $3, session_budget_micro = $4 WHERE api_key_id = $1`;

/** What the key may spend, and whether it still stands; undefined where there is no such key. */
export async function readBudgets(
  tx: pg.ClientBase,
  apiKeyId: string,
): Promise<(KeyBudgetColumns & { readonly revokedAt: Date | null }) | undefined> {
  return (await tx.query<KeyBudgetColumns & { readonly revokedAt: Date | null }>(readSql, [apiKeyId])).rows[0];
}

export async function writeBudgets(tx: pg.ClientBase, apiKeyId: string, budgets: KeyBudgets): Promise<void> {
  await tx.query(writeSql, [apiKeyId, ...rowOfBudgets(budgets)]);
}
