import { toIso } from '@capability-router/kernel';
import type pg from 'pg';
import type { Account } from './account.js';

// Any conflict but that of the e-mail address is a bug, and fails.
const sql = `
INSERT INTO accounts (account_id, kind, status, name, email, opened_at, region, email_canonical)
VALUES ($1, $2, 'active', $3, $4, $5, $6, $7)
ON CONFLICT (email) WHERE email IS NOT NULL DO NOTHING`;

/** False when another account has this e-mail address: the only thing that two new accounts can share. */
export async function insertAccount(tx: pg.ClientBase, account: Account): Promise<boolean> {
  const { accountId, kind, name, email, emailCanonical, openedAtMs, region } = account;
  const values = [accountId, kind, name, email ?? null, toIso(openedAtMs), region ?? null, emailCanonical ?? null];
  return (await tx.query(sql, values)).rowCount === 1;
}
