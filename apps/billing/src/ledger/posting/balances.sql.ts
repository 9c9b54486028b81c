import { creditsFromMicro, type AccountId, type Credits } from '@capability-router/kernel';
import type pg from 'pg';

export interface BalanceDelta {
  readonly balance: bigint;
  readonly held: bigint;
}

/** For grants: only they can meet an account without a row. */
const createBalancesSql = `
INSERT INTO account_balances (account_id, balance_micro, held_micro)
SELECT wanted.account_id, 0, 0 FROM unnest($1::text[]) AS wanted (account_id)
 WHERE NOT EXISTS (SELECT 1 FROM account_balances b WHERE b.account_id = wanted.account_id)
ON CONFLICT (account_id) DO NOTHING`;

/**
 * The last statement of every transaction that moves money: a hold on the same account waits for this statement and
 * never for a whole batch. By delta, because holds change `held_micro` meanwhile. Rows are taken in account order.
 */
const updateBalancesSql = `
WITH deltas AS (
  SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS d (account_id, balance, held)
), locked AS (
  SELECT b.account_id FROM account_balances b WHERE b.account_id = ANY($1) ORDER BY b.account_id FOR UPDATE
)
UPDATE account_balances
   SET balance_micro = account_balances.balance_micro + deltas.balance, held_micro = account_balances.held_micro + deltas.held
  FROM deltas JOIN locked USING (account_id)
 WHERE account_balances.account_id = deltas.account_id`;

export async function createBalances(tx: pg.PoolClient, accounts: readonly AccountId[]): Promise<void> {
  if (accounts.length > 0) await tx.query(createBalancesSql, [[...accounts].sort()]);
}

/** Throws where an account has no row, and where a balance would fall below what is held. */
export async function applyBalanceDeltas(
  tx: pg.PoolClient,
  deltas: ReadonlyMap<AccountId, BalanceDelta>,
): Promise<void> {
  const moved = [...deltas].filter(([, delta]) => delta.balance !== 0n || delta.held !== 0n);
  if (moved.length === 0) return;
  moved.sort(([a], [b]) => (a < b ? -1 : 1));
  const accounts = moved.map(([account]) => account);
  const { rowCount } = await tx.query({
    name: 'apply-balance-deltas',
    text: updateBalancesSql,
    values: [
      accounts,
      moved.map(([, delta]) => delta.balance.toString()),
      moved.map(([, delta]) => delta.held.toString()),
    ],
  });
  if (rowCount !== accounts.length) throw new Error(`${rowCount} of ${accounts.length} balances were updated`);
}

const availableSql =
  'SELECT account_id, (balance_micro - held_micro)::text AS available FROM account_balances WHERE account_id = ANY($1)';

/** Balance less open holds, of those accounts that have a row. */
export async function readAvailable(
  tx: pg.PoolClient,
  accounts: readonly AccountId[],
): Promise<Map<AccountId, Credits>> {
  const { rows } = await tx.query<{ account_id: AccountId; available: string }>(availableSql, [accounts]);
  return new Map(rows.map((row) => [row.account_id, creditsFromMicro(BigInt(row.available))]));
}
