import { creditsFromMicro, type AccountId } from '@capability-router/kernel';
import type pg from 'pg';
import type { Lot, LotBurn } from './lots.js';

/** In burn order. Nothing else changes lots while the account's head is locked. */
const loadLotsSql = `
SELECT lot_id, account_id, remaining_micro FROM credit_lots
 WHERE account_id = ANY($1) AND NOT depleted
 ORDER BY account_id, expires_at NULLS LAST, granted_at, lot_id`;

export async function loadLots(tx: pg.PoolClient, accounts: readonly AccountId[]): Promise<Map<AccountId, Lot[]>> {
  const byAccount = new Map<AccountId, Lot[]>(accounts.map((account) => [account, []]));
  if (accounts.length === 0) return byAccount;
  const { rows } = await tx.query<{ lot_id: string; account_id: AccountId; remaining_micro: string }>({
    name: 'load-lots',
    text: loadLotsSql,
    values: [accounts],
  });
  for (const row of rows) {
    byAccount.get(row.account_id)?.push({
      lotId: row.lot_id,
      accountId: row.account_id,
      remaining: creditsFromMicro(BigInt(row.remaining_micro)),
    });
  }
  return byAccount;
}

const burnLotsSql = `
WITH burned AS (
  INSERT INTO lot_burns (ledger_entry_id, lot_id, amount_micro)
  SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) RETURNING lot_id, amount_micro
), per_lot AS (
  SELECT lot_id, sum(amount_micro)::bigint AS amount FROM burned GROUP BY lot_id
)
UPDATE credit_lots SET remaining_micro = remaining_micro - per_lot.amount FROM per_lot WHERE credit_lots.lot_id = per_lot.lot_id`;

export async function writeBurns(tx: pg.PoolClient, burns: readonly LotBurn[]): Promise<void> {
  if (burns.length === 0) return;
  await tx.query({
    name: 'burn-lots',
    text: burnLotsSql,
    values: [
      burns.map((burn) => burn.ledgerEntryId),
      burns.map((burn) => burn.lotId),
      burns.map((burn) => burn.amount.toString()),
    ],
  });
}
