import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ManualClock, toIso } from '@capability-router/kernel';
import { releaseHolds } from '../holds/release-holds.sql.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { unreadyAccounts } from '../test-support/unready-accounts.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { expireGrants } from './expire-grants.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 4, 1, 12);

describe('the expiry of grants', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase(20);
  });
  afterAll(() => database.drop());
  afterEach(async () => {
    expect(await checkInvariants(database.pool)).toEqual([]);
    expect(await unreadyAccounts(database.pool)).toEqual({});
  });

  /** An account with 10 that end in an hour and 5 that do not, and the clock by which it lives. */
  async function someone(): Promise<{ account: MoneyAccount; clock: ManualClock }> {
    const clock = new ManualClock(NOW);
    const account = await MoneyAccount.open(database.pool, clock);
    await account.grant(5n);
    await account.grant(10n, { expiresAt: toIso(NOW + HOUR_MS) });
    return { account, clock };
  }
  const expire = (clock: ManualClock) => expireGrants(database.pool, clock);

  it('books what is left of a lot once its time has come, and not before', async () => {
    const { account, clock } = await someone();
    await account.call(4n);
    clock.advanceMs(HOUR_MS - 1);
    await expire(clock);
    expect(await account.balance()).toEqual({ balance: 11, held: 0 });
    clock.advanceMs(1);
    await expire(clock);
    expect(await account.entries()).toEqual([
      ['grant_payment_recharge', 5],
      ['grant_payment_recharge', 10],
      ['consume_tool_execute', -4],
      ['consume_grant_expiry', -6],
    ]);
    expect(await account.lots()).toEqual([0, 5]);
  });

  it('leaves what open calls may still burn, and books the rest of it when they end', async () => {
    const { account, clock } = await someone();
    const { executionId } = await account.hold(12n);
    clock.advanceMs(HOUR_MS);
    await expire(clock);
    expect(await account.balance()).toEqual({ balance: 12, held: 12 });
    expect(await account.lots()).toEqual([7, 5]);
    await account.end(executionId, 4n);
    // 4 of the 7 were burned; of the 8 that the hold gave back, 3 had expired.
    expect((await account.entries()).slice(2)).toEqual([
      ['consume_grant_expiry', -3],
      ['consume_tool_execute', -4],
      ['consume_grant_expiry', -3],
    ]);
    expect(await account.balance()).toEqual({ balance: 5, held: 0 });
    expect(await account.lots()).toEqual([0, 5]);
  });

  it('books with a call that failed what only its hold had kept', async () => {
    const { account, clock } = await someone();
    const { executionId } = await account.hold(15n);
    clock.advanceMs(HOUR_MS);
    await expire(clock);
    expect(await account.balance()).toEqual({ balance: 15, held: 15 });
    await account.end(executionId);
    expect(await account.balance()).toEqual({ balance: 5, held: 0 });
  });

  it('books in its next round what the sweeper gave back', async () => {
    const { account, clock } = await someone();
    const { executionId } = await account.hold(15n);
    clock.advanceMs(HOUR_MS);
    await releaseHolds(database.pool, [executionId], new Date(clock.nowMs()));
    expect(await account.balance()).toEqual({ balance: 15, held: 0 });
    await expire(clock);
    expect(await account.balance()).toEqual({ balance: 5, held: 0 });
  });

  it('takes nothing that calls hold, however many are placed while it runs on two replicas', async () => {
    const clock = new ManualClock(NOW);
    const accounts = await Promise.all(Array.from({ length: 4 }, () => MoneyAccount.open(database.pool, clock)));
    for (const account of accounts) await account.grant(100n, { expiresAt: toIso(NOW + HOUR_MS) });
    clock.advanceMs(HOUR_MS);
    const holds = accounts.flatMap((account) =>
      Array.from({ length: 10 }, async () => ({ account, ...(await account.hold(7n)) })),
    );
    const [placed] = await Promise.all([Promise.all(holds), expire(clock), expire(clock)]);
    for (const account of accounts) {
      const open = placed.filter((hold) => hold.account === account && hold.status === 'held').length;
      expect((await account.balance()).held).toBe(open * 7);
    }
    await expire(clock);
    for (const account of accounts) {
      const { balance, held } = await account.balance();
      expect(balance).toBe(held);
    }
    for (const { account, executionId, status } of placed) if (status === 'held') await account.end(executionId, 7n);
    await expire(clock);
    for (const account of accounts) {
      expect(await account.balance()).toEqual({ balance: 0, held: 0 });
      const taken = (await account.entries()).slice(1).reduce((sum, [, amount]) => sum + amount, 0);
      expect(taken).toBe(-100);
    }
  });
});
