import { newLedgerEntryId, systemClock, toIso, type AccountId, type Credits } from '@capability-router/kernel';
import type pg from 'pg';
import { applyBalanceDeltas, createBalances } from '../ledger/posting/balances.sql.js';
import { chainEntry, type LedgerEntry } from '../ledger/domain/entry.js';
import { lockHeads, saveHeads } from '../ledger/posting/heads.sql.js';
import { insertEntries } from '../ledger/posting/entries.sql.js';
import { inTransaction } from './scratch-database.js';

/** Entries as every writer of the ledger books them, without what they stand for (lots, holds, executions). */
export function bookEntries(
  pool: pg.Pool,
  accountId: AccountId,
  amounts: readonly bigint[],
  nowMs = systemClock.nowMs(),
): Promise<LedgerEntry[]> {
  return inTransaction(pool, async (tx) => {
    let head = (await lockHeads(tx, [accountId])).get(accountId);
    if (head === undefined) throw new Error('the head is not locked');
    const entries: LedgerEntry[] = [];
    for (const amount of amounts) {
      const entryId = newLedgerEntryId(nowMs);
      const chained = chainEntry(
        head,
        {
          entryType: amount > 0n ? 'grant_correction' : 'consume_correction',
          sourceSystem: 'admin',
          sourceRefType: 'grant',
          sourceRefId: entryId,
          executionId: null,
          description: 'test',
          metadata: { note: 'n' },
          preSettlementBill: null,
          settlementResult: null,
          effectiveAt: toIso(nowMs),
        },
        { entryId, amount: amount as Credits, createdAt: toIso(nowMs) },
      );
      entries.push(chained.entry);
      head = chained.head;
    }
    await insertEntries(tx, entries);
    await saveHeads(tx, [head]);
    const balance = amounts.reduce((sum, amount) => sum + amount, 0n);
    await createBalances(tx, [accountId]);
    await applyBalanceDeltas(tx, new Map([[accountId, { balance, held: 0n }]]));
    return entries;
  });
}

/** Changes rows as only a superuser can: with triggers switched off and the constraints that stand in the way dropped. */
export function behindTheService(pool: pg.Pool, ...statements: readonly string[]): Promise<void> {
  return inTransaction(pool, async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    for (const statement of statements) await tx.query(statement);
  });
}
