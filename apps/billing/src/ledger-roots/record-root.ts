import { topicNames, type LedgerRootRecorded } from '@capability-router/contracts';
import { appendBatch } from '@capability-router/event-store';
import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { hashRoot, LedgerStateBuilder, NO_HASH, type LedgerRoot } from './ledger-root.js';
import { insertRoot, lastRoot } from './ledger-roots.sql.js';
import { headsAtCut, isMineToRecord, readHorizon } from './record-root.sql.js';

const DAY_MS = 86_400_000;
/** Accounts in one read. */
const PAGE_ACCOUNTS = 5_000;
/** Key of the advisory lock; any number, the same in every build. */
const LOCK_KEY = 728_415_008;
const STREAM = 'ledger-roots';

/**
 * Records the root of the day that ended last, where there is none yet, and appends its event; undefined where there is
 * nothing to do, another replica is at it, or an entry of that day is not behind the cut yet.
 *
 * One transaction, in which only the last statements write: what it reads is one snapshot, and it holds back no reader
 * of the event store. The cut is the horizon of commit order: everything before it is committed and nothing will ever
 * be written before it, so the state can be computed again at any later time.
 */
export async function recordLedgerRoot(pool: pg.Pool, clock: Clock): Promise<LedgerRoot | undefined> {
  const nowMs = clock.nowMs();
  const dayEnd = new Date(nowMs - (nowMs % DAY_MS)).toISOString();
  const ledgerDate = toIso(nowMs - (nowMs % DAY_MS) - DAY_MS).slice(0, 'YYYY-MM-DD'.length);
  return inTransaction(
    pool,
    async (tx) => {
      if (!(await isMineToRecord(tx, LOCK_KEY, ledgerDate))) return undefined;
      const root = await compute(tx, ledgerDate, dayEnd, nowMs);
      if (root === undefined) return undefined;
      await insertRoot(tx, root);
      await appendBatch(tx, 'billing', [
        {
          streamId: STREAM,
          sequence: Number(root.rootSeq),
          event: {
            type: 'LedgerRootRecorded',
            topic: topicNames.ledgerRoots,
            partitionKey: root.ledgerDate,
            data: rootRecorded(root),
            time: root.computedAt,
          },
        },
      ]);
      return root;
    },
    { isolation: 'snapshot' },
  );
}

async function compute(
  tx: pg.PoolClient,
  ledgerDate: string,
  dayEnd: string,
  nowMs: number,
): Promise<LedgerRoot | undefined> {
  const horizon = await readHorizon(tx, dayEnd);
  if (horizon === undefined) throw new Error('the event store has no epoch: run its migration');
  // A transaction that runs for long holds the cut back: the next round will find it further on.
  if (horizon.open) return undefined;
  const builder = new LedgerStateBuilder();
  for (let after = ''; ;) {
    const page = await headsAtCut(tx, after, PAGE_ACCOUNTS, horizon.cut);
    for (const row of page) {
      after = row.account_id;
      if (row.later || row.entry_seq === '0') continue;
      builder.add({
        accountId: row.account_id,
        entrySeq: BigInt(row.entry_seq),
        balance: BigInt(row.balance),
        hash: row.hash,
      });
    }
    if (page.length < PAGE_ACCOUNTS) break;
  }
  const previous = await lastRoot(tx);
  const root = {
    ...builder.state(),
    rootSeq: (previous?.rootSeq ?? 0n) + 1n,
    ledgerDate,
    cut: BigInt(horizon.cut),
    computedAt: toIso(nowMs),
    previousHash: previous?.hash ?? NO_HASH,
  };
  return { ...root, hash: hashRoot(root) };
}

export function rootRecorded(root: LedgerRoot): LedgerRootRecorded {
  return {
    rootSeq: Number(root.rootSeq),
    ledgerDate: root.ledgerDate,
    version: 1,
    cut: root.cut.toString(),
    accounts: Number(root.accounts),
    entries: Number(root.entries),
    balanceMicroCredits: root.balance.toString(),
    merkleRoot: root.merkleRoot,
    previousHash: root.previousHash,
    hash: root.hash,
    computedAt: root.computedAt,
  };
}
