import { topicNames, type LedgerRootRecorded } from '@capability-router/contracts';
import { appendBatch, horizonSql } from '@capability-router/event-store';
import { toIso, type Clock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { hashRoot, LedgerStateBuilder, NO_HASH, type LedgerRoot } from './ledger-root.js';
import { insertRoot, lastRoot } from './ledger-roots.sql.js';

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
      if (!(await isMineToRecord(tx, ledgerDate))) return undefined;
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

async function isMineToRecord(tx: pg.PoolClient, ledgerDate: string): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean; done: boolean }>(
    `SELECT pg_try_advisory_xact_lock($1) AS locked, EXISTS (SELECT FROM ledger_roots WHERE ledger_date >= $2) AS done`,
    [LOCK_KEY, ledgerDate],
  );
  return rows[0]?.locked === true && !rows[0].done;
}

/** The head of each account at the cut: the head row where it has not moved since, else the last entry before the cut. */
const headsAtCutSql = `
SELECT h.account_id, COALESCE(e.entry_seq, h.entry_seq) AS entry_seq, COALESCE(e.hash, h.last_hash) AS hash,
       COALESCE(e.balance_after_micro, h.balance_micro) AS balance, h.last_tx_order >= $3 AND e.entry_seq IS NULL AS later
  FROM (SELECT * FROM ledger_heads WHERE account_id > $1 ORDER BY account_id LIMIT $2) AS h
  LEFT JOIN LATERAL (
    SELECT entry_seq, hash, balance_after_micro FROM ledger_entries
     WHERE h.last_tx_order >= $3 AND account_id = h.account_id AND tx_order < $3
     ORDER BY entry_seq DESC LIMIT 1) AS e ON true
 ORDER BY h.account_id`;

interface HeadRow {
  readonly account_id: string;
  readonly entry_seq: string;
  readonly hash: string;
  readonly balance: string;
  /** Every entry of the account is behind the cut. */
  readonly later: boolean;
}

async function compute(
  tx: pg.PoolClient,
  ledgerDate: string,
  dayEnd: string,
  nowMs: number,
): Promise<LedgerRoot | undefined> {
  const { rows } = await tx.query<{ cut: string; open: boolean }>(
    `SELECT c.cut, EXISTS (SELECT FROM ledger_entries WHERE tx_order >= c.cut AND created_at < $1) AS open
       FROM (SELECT ${horizonSql} AS cut) AS c`,
    [dayEnd],
  );
  const [horizon] = rows;
  if (horizon === undefined) throw new Error('the event store has no epoch: run its migration');
  // A transaction that runs for long holds the cut back: the next round will find it further on.
  if (horizon.open) return undefined;
  const builder = new LedgerStateBuilder();
  for (let after = ''; ;) {
    const page = await tx.query<HeadRow>(headsAtCutSql, [after, PAGE_ACCOUNTS, horizon.cut]);
    for (const row of page.rows) {
      after = row.account_id;
      if (row.later || row.entry_seq === '0') continue;
      builder.add({
        accountId: row.account_id,
        entrySeq: BigInt(row.entry_seq),
        balance: BigInt(row.balance),
        hash: row.hash,
      });
    }
    if (page.rows.length < PAGE_ACCOUNTS) break;
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
