import { creditsFromMicro, type AccountId, type Credits } from '@capability-router/kernel';
import type pg from 'pg';
import type { Lot, LotBurn, LotRestore, UnwindableBurn } from '../domain/lots.js';

/** In burn order. Nothing else changes lots while the account's head is locked. */
const loadLotsSql = `
SELECT lot_id, account_id, remaining_micro, expires_at FROM credit_lots
 WHERE account_id = ANY($1) AND NOT depleted
 ORDER BY account_id, expires_at NULLS LAST, granted_at, lot_id`;

interface LotRow {
  readonly lot_id: string;
  readonly account_id: AccountId;
  readonly remaining_micro: string;
  readonly expires_at: Date | null;
}

export async function loadLots(tx: pg.PoolClient, accounts: readonly AccountId[]): Promise<Map<AccountId, Lot[]>> {
  const byAccount = new Map<AccountId, Lot[]>(accounts.map((account) => [account, []]));
  if (accounts.length === 0) return byAccount;
  const { rows } = await tx.query<LotRow>({
    name: 'load-lots',
    text: loadLotsSql,
    values: [accounts],
  });
  for (const row of rows) {
    byAccount.get(row.account_id)?.push({
      lotId: row.lot_id,
      accountId: row.account_id,
      remaining: creditsFromMicro(BigInt(row.remaining_micro)),
      expiresAtMs: row.expires_at?.getTime() ?? null,
    });
  }
  return byAccount;
}

/** A grant as it is written. */
export interface NewLot {
  readonly lotId: string;
  readonly accountId: AccountId;
  readonly category: string;
  readonly amount: Credits;
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null;
  /** ISO 8601. */
  readonly grantedAt: string;
  /** Names the grant once and for all. */
  readonly grantRef: string;
}

const insertLotsSql = `
INSERT INTO credit_lots (lot_id, account_id, category, granted_micro, remaining_micro, expires_at, granted_at, grant_ref, ledger_entry_id)
SELECT v.lot_id, v.account_id, v.category, v.amount, v.amount, v.expires_at, v.granted_at, v.grant_ref, v.lot_id
  FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[], $7::text[])
    AS v (lot_id, account_id, category, amount, expires_at, granted_at, grant_ref)`;

export async function insertLots(tx: pg.PoolClient, lots: readonly NewLot[]): Promise<void> {
  if (lots.length === 0) return;
  await tx.query(insertLotsSql, [
    lots.map((lot) => lot.lotId),
    lots.map((lot) => lot.accountId),
    lots.map((lot) => lot.category),
    lots.map((lot) => lot.amount.toString()),
    lots.map((lot) => lot.expiresAt),
    lots.map((lot) => lot.grantedAt),
    lots.map((lot) => lot.grantRef),
  ]);
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

/** In burn order, which the lots tell: nothing that it depends on changes in a lot's life. */
const unwindableSql = `
SELECT b.lot_id, b.amount_micro - COALESCE((
         SELECT sum(r.amount_micro) FROM lot_restores r
          WHERE r.unwound_entry_id = b.ledger_entry_id AND r.lot_id = b.lot_id), 0)::bigint AS amount
  FROM lot_burns b JOIN credit_lots l USING (lot_id)
 WHERE b.ledger_entry_id = $1 ORDER BY l.expires_at NULLS LAST, l.granted_at, l.lot_id`;

/** The burns of an entry, less what was given back. Nothing else changes them while the account's head is locked. */
export async function loadUnwindable(tx: pg.PoolClient, entryId: string): Promise<UnwindableBurn[]> {
  const { rows } = await tx.query<{ lot_id: string; amount: string }>(unwindableSql, [entryId]);
  return rows.map((row) => ({ lotId: row.lot_id, amount: creditsFromMicro(BigInt(row.amount)) }));
}

const restoreLotsSql = `
WITH restored AS (
  INSERT INTO lot_restores (ledger_entry_id, lot_id, unwound_entry_id, amount_micro)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) RETURNING lot_id, amount_micro
), per_lot AS (
  SELECT lot_id, sum(amount_micro)::bigint AS amount FROM restored GROUP BY lot_id
)
UPDATE credit_lots SET remaining_micro = remaining_micro + per_lot.amount FROM per_lot WHERE credit_lots.lot_id = per_lot.lot_id`;

export async function writeRestores(tx: pg.PoolClient, restores: readonly LotRestore[]): Promise<void> {
  if (restores.length === 0) return;
  await tx.query(restoreLotsSql, [
    restores.map((restore) => restore.ledgerEntryId),
    restores.map((restore) => restore.lotId),
    restores.map((restore) => restore.unwoundEntryId),
    restores.map((restore) => restore.amount.toString()),
  ]);
}
