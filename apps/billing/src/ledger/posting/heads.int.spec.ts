/** @postgres-versions Who waits for which lock is up to the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccountId, systemClock } from '@capability-router/kernel';
import { SeededRandom, seedOfRun } from '../../test-support/random.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { lockHeads } from './heads.sql.js';

const ROUNDS = 40;
const BATCHES = 8;
const ACCOUNTS = 12;

describe('locks of ledger heads', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase(BATCHES);
  });
  afterAll(() => database.drop());

  it('never deadlock, whichever batches meet accounts that have no head yet', async () => {
    const random = new SeededRandom(seedOfRun());
    const faults: unknown[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const accounts = Array.from({ length: ACCOUNTS }, () => newAccountId(systemClock.nowMs()));
      await Promise.all(
        Array.from({ length: BATCHES }, async (_, batch) => {
          const wanted = accounts.filter(() => random.next() < 0.5);
          // Later batches meet heads that earlier ones have just created.
          await new Promise((resolve) => setTimeout(resolve, batch));
          await inTransaction(database.pool, (tx) => lockHeads(tx, wanted)).catch((error: unknown) =>
            faults.push(error),
          );
        }),
      );
    }
    expect({ seed: random.seed, faults }).toEqual({ seed: random.seed, faults: [] });
  });

  it('are taken on every account asked for, new ones with an empty chain', async () => {
    const accounts = Array.from({ length: 3 }, () => newAccountId(systemClock.nowMs()));
    const [known] = accounts;
    if (known === undefined) throw new Error('no accounts');
    await inTransaction(database.pool, (tx) => lockHeads(tx, [known]));
    const heads = await inTransaction(database.pool, (tx) => lockHeads(tx, [...accounts, ...accounts]));
    expect([...heads.keys()].sort()).toEqual([...accounts].sort());
    expect([...heads.values()].every((head) => head.entrySeq === 0n && head.balance === 0n)).toBe(true);
  });
});
