import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import { ManualClock, newAccountId } from '@capability-router/kernel';
import { bookEntries } from '../test-support/book-entries.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { verifyLedger } from '../ledger-verify/verify-ledger.js';
import { NO_HASH } from './ledger-root.js';
import { recordLedgerRoot } from './record-root.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 0, 2, 12);

describe('the daily ledger root', () => {
  const databases: ScratchDatabase[] = [];
  let database: ScratchDatabase;
  beforeEach(async () => {
    database = await createScratchDatabase();
    databases.push(database);
  });
  afterAll(async () => {
    for (const each of databases) await each.drop();
  });

  const at = (dayOffset: number) => new ManualClock(NOON + dayOffset * DAY_MS);
  const book = (amount: bigint, nowMs = NOON) => bookEntries(database.pool, newAccountId(nowMs), [amount], nowMs);

  it('is recorded once for a day, whichever replicas look, and published with what it says', async () => {
    await book(5n);
    await untilReadable(database.pool);
    const rounds = await Promise.allSettled(Array.from({ length: 6 }, () => recordLedgerRoot(database.pool, at(1))));
    const roots = rounds.flatMap((round) =>
      round.status === 'fulfilled' && round.value !== undefined ? [round.value] : [],
    );
    expect(roots).toHaveLength(1);
    expect(await recordLedgerRoot(database.pool, at(1))).toBeUndefined();
    expect(roots[0]).toEqual(
      expect.objectContaining({
        rootSeq: 1n,
        ledgerDate: '2026-01-02',
        accounts: 1n,
        entries: 1n,
        balance: 5n,
        previousHash: NO_HASH,
      }),
    );
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', 10, [topicNames.ledgerRoots]);
    expect(
      events.map(({ type, partitionKey, sequence, data }) => ({ type, partitionKey, sequence, hash: data['hash'] })),
    ).toEqual([{ type: 'LedgerRootRecorded', partitionKey: '2026-01-02', sequence: 1, hash: roots[0]?.hash }]);
  });

  it('follows the one before it, and after days without a service names the last day only', async () => {
    const first = await recordLedgerRoot(database.pool, at(1));
    const second = await recordLedgerRoot(database.pool, at(4));
    expect(second).toEqual(
      expect.objectContaining({ rootSeq: 2n, ledgerDate: '2026-01-05', previousHash: first?.hash }),
    );
  });

  it('waits while an entry of the day may still be written', async () => {
    const slow = await database.pool.connect();
    await slow.query('BEGIN');
    await slow.query('SELECT pg_current_xact_id()');
    await book(5n);
    expect(await recordLedgerRoot(database.pool, at(1))).toBeUndefined();
    await slow.query('COMMIT');
    slow.release();
    await untilReadable(database.pool);
    expect(await recordLedgerRoot(database.pool, at(1))).toEqual(expect.objectContaining({ entries: 1n }));
  });

  it('leaves out what is behind the cut, and can be computed again whatever came since', async () => {
    const [entry] = await book(5n);
    await untilReadable(database.pool);
    const slow = await database.pool.connect();
    await slow.query('BEGIN');
    await slow.query('SELECT pg_current_xact_id()');
    // These entries are of the next day: one of an account with an entry before the cut, one of an account without.
    if (entry === undefined) throw new Error('nothing was booked');
    await bookEntries(database.pool, entry.accountId, [7n], NOON + DAY_MS);
    await book(9n, NOON + DAY_MS);
    const root = await recordLedgerRoot(database.pool, at(1));
    await slow.query('COMMIT');
    slow.release();
    expect(root).toEqual(expect.objectContaining({ accounts: 1n, entries: 1n, balance: 5n }));
    await bookEntries(database.pool, entry.accountId, [-3n], NOON + DAY_MS);
    expect(await verifyLedger(database.pool)).toEqual(
      expect.objectContaining({ sound: true, entries: 4, rootChecked: true }),
    );
  });

  it('is never changed', async () => {
    await recordLedgerRoot(database.pool, at(1));
    for (const sql of ['UPDATE ledger_roots SET accounts = 1', 'DELETE FROM ledger_roots', 'TRUNCATE ledger_roots']) {
      await expect(database.owner.query(sql)).rejects.toThrow(/append-only/);
      await expect(database.pool.query(sql)).rejects.toThrow(/permission denied/);
    }
  });
});
