import { txOrderSql } from '@capability-router/event-store';
import type pg from 'pg';
import type { LedgerEntry } from '../domain/entry.js';

/**
 * `tx_order` never falls along an account: a batch that locks an account late can carry an older transaction id than
 * the account's previous entry, and a reader in commit order must still see the chain densely.
 */
const insertEntriesSql = `
INSERT INTO ledger_entries (
  entry_id, account_id, entry_seq, entry_type, amount_micro, balance_before_micro, balance_after_micro, source_system,
  source_ref_type, source_ref_id, execution_id, description, metadata, pre_settlement_bill, settlement_result,
  effective_at, created_at, previous_hash, hash, tx_order)
SELECT v.entry_id, v.account_id, v.entry_seq, v.entry_type, v.amount, v.balance_before, v.balance_after, v.source_system,
       v.source_ref_type, v.source_ref_id, v.execution_id, v.description, v.documents->0, NULLIF(v.documents->1, 'null'),
       NULLIF(v.documents->2, 'null'), v.effective_at, v.created_at, v.previous_hash, v.hash, ${txOrderSql('head.last_tx_order')}
  FROM ROWS FROM (
         unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[],
                $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::timestamptz[], $15::text[],
                $16::text[]),
         jsonb_array_elements($17::jsonb)
       ) WITH ORDINALITY AS v (entry_id, account_id, entry_seq, entry_type, amount, balance_before, balance_after,
              source_system, source_ref_type, source_ref_id, execution_id, description, effective_at, created_at,
              previous_hash, hash, documents, ordinal)
  JOIN ledger_heads AS head ON head.account_id = v.account_id
 ORDER BY v.ordinal`;

/** Must run before `saveHeads` in the same transaction, with the heads locked. */
export async function insertEntries(tx: pg.PoolClient, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const column = <T>(read: (entry: LedgerEntry) => T): T[] => entries.map(read);
  const { rowCount } = await tx.query({
    name: 'insert-ledger-entries',
    text: insertEntriesSql,
    values: [
      column((entry) => entry.entryId),
      column((entry) => entry.accountId),
      column((entry) => entry.entrySeq.toString()),
      column((entry) => entry.entryType),
      column((entry) => entry.amount.toString()),
      column((entry) => entry.balanceBefore.toString()),
      column((entry) => entry.balanceAfter.toString()),
      column((entry) => entry.sourceSystem),
      column((entry) => entry.sourceRefType),
      column((entry) => entry.sourceRefId),
      column((entry) => entry.executionId),
      column((entry) => entry.description),
      column((entry) => entry.effectiveAt),
      column((entry) => entry.createdAt),
      column((entry) => entry.previousHash),
      column((entry) => entry.hash),
      // One text for all: as arrays, each quote of each document would be escaped here and unescaped there.
      JSON.stringify(column((entry) => [entry.metadata, entry.preSettlementBill, entry.settlementResult])),
    ],
  });
  if (rowCount !== entries.length) throw new Error(`${rowCount} of ${entries.length} ledger entries were written`);
}
