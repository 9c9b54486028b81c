/** @postgres-versions The order of the chain follows from transaction ids. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccountId, systemClock, type AccountId, type Credits } from '@capability-router/kernel';
import { untilReadable } from '@capability-router/event-store/testing';
import type pg from 'pg';
import { grantCredits } from '../grants/grant-credits.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { ledgerOutbox } from './ledger-outbox.js';

describe('the ledger', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  let grants = 0;
  const grant = (tx: pg.PoolClient, accountId: AccountId): Promise<unknown> => {
    grants += 1;
    const base = {
      amount: 5n as Credits,
      entryType: 'grant_correction',
      category: 'purchased',
      expiresAt: null,
    } as const;
    return grantCredits(
      tx,
      [
        {
          ...base,
          grantRef: `test:${grants}`,
          accountId,
          sourceSystem: 'admin',
          description: 'test',
          metadata: {},
          effectiveAt: new Date().toISOString(),
        },
      ],
      systemClock,
    );
  };
  const published = async (): Promise<[string, number][]> =>
    (await ledgerOutbox.readAfter(database.pool, '', 1_000)).events.map((event) => [
      event.partitionKey,
      event.sequence,
    ]);

  it('refuses UPDATE, DELETE and TRUNCATE, whoever asks', async () => {
    await inTransaction(database.pool, (tx) => grant(tx, newAccountId(systemClock.nowMs())));
    for (const sql of [
      'UPDATE ledger_entries SET amount_micro = 1',
      'DELETE FROM ledger_entries',
      'TRUNCATE ledger_entries',
    ]) {
      await expect(database.owner.query(sql)).rejects.toThrow(/append-only/);
      await expect(database.pool.query(sql)).rejects.toThrow(/permission denied/);
    }
  });

  it('shows no entry past an older transaction that has not committed yet', async () => {
    const [early, late] = [newAccountId(1), newAccountId(2)];
    const slow = await database.pool.connect();
    await slow.query('BEGIN');
    await grant(slow, early);
    await inTransaction(database.pool, (tx) => grant(tx, late));
    const before = (await published()).map(([account]) => account);
    expect(before).not.toContain(late);
    await slow.query('COMMIT');
    slow.release();
    await untilReadable(database.pool);
    const after = (await published()).map(([account]) => account);
    expect(after.filter((account) => account === early || account === late)).toEqual([early, late]);
  });

  it('shows an account densely when a batch with an older transaction id locks it late', async () => {
    const accountId = newAccountId(systemClock.nowMs());
    const older = await database.pool.connect();
    await older.query('BEGIN');
    await older.query('SELECT pg_current_xact_id()');
    await inTransaction(database.pool, (tx) => grant(tx, accountId));
    await inTransaction(database.pool, (tx) => grant(tx, accountId));
    await grant(older, accountId);
    await older.query('COMMIT');
    older.release();
    await inTransaction(database.pool, (tx) => grant(tx, accountId));
    await untilReadable(database.pool);
    const sequences = (await published()).filter(([account]) => account === accountId).map(([, sequence]) => sequence);
    expect(sequences).toEqual([1, 2, 3, 4]);
  });
});
