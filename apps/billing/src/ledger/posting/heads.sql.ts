import { creditsFromMicro, type AccountId } from '@capability-router/kernel';
import { txOrderSql } from '@capability-router/event-store';
import type pg from 'pg';
import type { LedgerHead } from '../domain/entry.js';

interface HeadRow {
  account_id: AccountId;
  entry_seq: string;
  balance_micro: string;
  last_hash: string;
  settlement_seq: string;
}

const createHeadsSql = `
INSERT INTO ledger_heads (account_id) SELECT account_id FROM unnest($1::text[]) AS account_id ORDER BY account_id
ON CONFLICT (account_id) DO NOTHING`;

const lockHeadsSql = `
SELECT account_id, entry_seq, balance_micro, last_hash, settlement_seq
  FROM ledger_heads WHERE account_id = ANY($1) ORDER BY account_id FOR UPDATE`;

/**
 * Locks the heads of all accounts that a batch touches, in the order of their ids, as every writer of the ledger does:
 * so no two batches can wait for each other. Where heads are missing, the locks are given back before they are
 * inserted: a batch that waits for another one's insert must not hold a lock that the other one wants. In a
 * transaction only.
 */
export async function lockHeads(tx: pg.PoolClient, accounts: Iterable<AccountId>): Promise<Map<AccountId, LedgerHead>> {
  const ids = [...new Set(accounts)].sort();
  await tx.query('SAVEPOINT before_heads');
  let heads = await readHeads(tx, ids);
  if (heads.size < ids.length) {
    await tx.query('ROLLBACK TO SAVEPOINT before_heads');
    const missing = ids.filter((id) => !heads.has(id));
    await tx.query(createHeadsSql, [missing]);
    heads = await readHeads(tx, ids);
  }
  await tx.query('RELEASE SAVEPOINT before_heads');
  return heads;
}

async function readHeads(tx: pg.PoolClient, ids: readonly AccountId[]): Promise<Map<AccountId, LedgerHead>> {
  const { rows } = await tx.query<HeadRow>({ name: 'lock-heads', text: lockHeadsSql, values: [ids] });
  return new Map(
    rows.map((row) => [
      row.account_id,
      {
        accountId: row.account_id,
        entrySeq: BigInt(row.entry_seq),
        balance: creditsFromMicro(BigInt(row.balance_micro)),
        lastHash: row.last_hash,
        settlementSeq: BigInt(row.settlement_seq),
      },
    ]),
  );
}

const saveHeadsSql = `
UPDATE ledger_heads SET entry_seq = v.entry_seq, balance_micro = v.balance_micro, last_hash = v.last_hash,
       settlement_seq = v.settlement_seq, last_tx_order = ${txOrderSql('last_tx_order')}
  FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
    AS v (account_id, entry_seq, balance_micro, last_hash, settlement_seq)
 WHERE ledger_heads.account_id = v.account_id`;

/** Writes the heads that moved: what was redelivered leaves its head as it was. */
export async function saveHeads(tx: pg.PoolClient, heads: readonly LedgerHead[]): Promise<void> {
  if (heads.length === 0) return;
  await tx.query({
    name: 'save-heads',
    text: saveHeadsSql,
    values: [
      heads.map((head) => head.accountId),
      heads.map((head) => head.entrySeq.toString()),
      heads.map((head) => head.balance.toString()),
      heads.map((head) => head.lastHash),
      heads.map((head) => head.settlementSeq.toString()),
    ],
  });
}
