import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsFromMicro, ManualClock, newExecutionId, type ExecutionId } from '@capability-router/kernel';
import { budgetsOfCredential } from '../budgets/domain/budgets-of-credential.js';
import { placeHold } from '../holds/place-hold.js';
import { releaseHolds } from '../holds/release-holds.sql.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { dailyFreeView, purgeAllowances } from './daily-allowance.js';
import { allowanceOf, type DailyAllowance } from './domain/daily-allowance.js';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 4, 1, 23);
const LIMIT = 10n;

describe('the daily free allowance', () => {
  let database: ScratchDatabase;
  let clock: ManualClock;
  beforeAll(async () => {
    database = await createScratchDatabase(20);
    clock = new ManualClock(NOW);
  });
  afterAll(() => database.drop());
  afterEach(async () => expect(await checkInvariants(database.pool)).toEqual([]));

  function today(): DailyAllowance {
    const allowance = allowanceOf({ accountKind: 'formal' }, creditsFromMicro(LIMIT), clock.nowMs());
    if (allowance === undefined) throw new Error('there should be an allowance');
    return allowance;
  }
  const left = async (account: MoneyAccount): Promise<number> =>
    Math.round((await dailyFreeView(database.pool, account.accountId, today())).remaining * 1e6);
  const open = (balance = 0n): Promise<MoneyAccount> => MoneyAccount.open(database.pool, clock, balance);

  it('stands for whole calls of an account without credits, charges nothing and leaves no entry', async () => {
    const account = await open();
    const { executionId, status } = await account.hold(8n, today());
    expect(status).toBe('covered');
    expect(await left(account)).toBe(2);
    await account.end(executionId, 5n);
    expect(await left(account)).toBe(5);
    expect(await account.entries()).toEqual([]);
    const { rows } = await database.pool.query<Record<string, unknown>>(
      `SELECT status, requested_micro::int AS requested, settled_micro::int AS settled, covered_micro::int AS covered
         FROM settlements WHERE source_ref_id = $1`,
      [executionId],
    );
    expect(rows).toEqual([{ status: 'not_applicable', requested: 5, settled: 0, covered: 5 }]);
  });

  it('covers a call whole or not at all: what does not fit is paid from the balance', async () => {
    const account = await open(20n);
    expect((await account.hold(11n, today())).status).toBe('held');
    expect((await account.hold(6n, today())).status).toBe('covered');
    expect((await account.hold(5n, today())).status).toBe('held');
    expect((await account.hold(5n, today())).status).toBe('insufficient_credits');
    expect((await account.hold(4n, today())).status).toBe('covered');
    expect(await account.balance()).toEqual({ balance: 20, held: 16 });
  });

  it('gets back what a call that failed, or was swept, did not use', async () => {
    const account = await open();
    const failed = await account.hold(10n, today());
    await account.end(failed.executionId);
    expect(await left(account)).toBe(10);
    const swept = await account.hold(10n, today());
    expect(await releaseHolds(database.pool, [swept.executionId], new Date(clock.nowMs()))).toBe(1);
    expect(await left(account)).toBe(10);
    await account.end(swept.executionId, 10n);
    expect(await left(account)).toBe(10);
  });

  it('collects nothing of a bill above what it covered', async () => {
    const account = await open(20n);
    const { executionId } = await account.hold(5n, today());
    await account.end(executionId, 6n);
    expect(await account.balance()).toEqual({ balance: 20, held: 0 });
    expect(await left(account)).toBe(10);
  });

  it('is never passed by 40 calls at once', async () => {
    const account = await open(6n);
    const holds = await Promise.all(Array.from({ length: 40 }, () => account.hold(3n, today())));
    const statuses = holds.map(({ status }) => status);
    expect(statuses.filter((status) => status === 'covered')).toHaveLength(3);
    expect(statuses.filter((status) => status === 'held')).toHaveLength(2);
    const covered = holds.filter(({ status }) => status === 'covered');
    await Promise.all(covered.map(({ executionId }) => account.end(executionId, 3n)));
    expect(await left(account)).toBe(1);
  });

  it('answers the same hold alike, and refuses it with another amount', async () => {
    const account = await open();
    const place = (executionId: ExecutionId, amount: bigint) => {
      const at = new Date(clock.nowMs());
      const terms = { inquireAfter: at, now: at, allowance: today(), accountId: account.accountId };
      return placeHold(database.pool, { ...terms, billableId: executionId, amount: creditsFromMicro(amount) });
    };
    const id = newExecutionId(NOW);
    for (const answer of await Promise.all([place(id, 4n), place(id, 4n), place(id, 4n)])) {
      expect(answer).toEqual({ status: 'held', availableMicroCredits: '0', covered: true });
    }
    expect(await place(id, 5n)).toEqual({ status: 'conflict' });
    expect(await left(account)).toBe(6);
  });

  it('comes before budgets, which it does not touch', async () => {
    const account = await open(20n);
    const limits = { key: { limitMicroCredits: '4', period: 'day' as const } };
    const budgets = budgetsOfCredential({ apiKeyId: crypto.randomUUID(), budgets: limits }, undefined, NOW);
    const at = new Date(NOW);
    const place = (amount: bigint) =>
      placeHold(database.pool, {
        billableId: newExecutionId(NOW),
        accountId: account.accountId,
        amount: creditsFromMicro(amount),
        inquireAfter: at,
        now: at,
        budgets,
        allowance: today(),
      });
    expect(await place(9n)).toMatchObject({ status: 'held', covered: true });
    expect(await place(5n)).toMatchObject({ status: 'budget_exceeded' });
    expect(await place(3n)).toEqual({ status: 'held', availableMicroCredits: '17' });
    const { rows } = await database.pool.query(
      'SELECT reserved_micro::int AS reserved FROM budgets WHERE account_id = $1',
      [account.accountId],
    );
    expect(rows).toEqual([{ reserved: 3 }]);
  });

  it('begins anew at midnight UTC, and a call that runs over midnight counts in its own day', async () => {
    const account = await open();
    const { executionId } = await account.hold(10n, today());
    clock.advanceMs(2 * 3_600_000);
    expect(await left(account)).toBe(10);
    await account.end(executionId, 10n);
    expect(await left(account)).toBe(10);
  });

  it('follows the configuration: a lower limit covers nothing more', async () => {
    const account = await open();
    await account.hold(6n, today());
    expect((await account.hold(1n, { ...today(), limit: creditsFromMicro(5n) })).status).toBe('insufficient_credits');
    expect((await account.hold(4n, today())).status).toBe('covered');
  });

  it('is for formal accounts, and where the deployment has one', () => {
    expect(allowanceOf({ accountKind: 'trial' }, creditsFromMicro(LIMIT), NOW)).toBeUndefined();
    expect(allowanceOf({ accountKind: 'formal' }, creditsFromMicro(0n), NOW)).toBeUndefined();
  });

  it('is forgotten a week later, unless a call is still open', async () => {
    const [account, other] = [await open(), await open()];
    await account.hold(6n, today());
    await other.end((await other.hold(6n, today())).executionId, 6n);
    const days = async (one: MoneyAccount): Promise<number> =>
      (await database.pool.query('SELECT 1 FROM daily_allowances WHERE account_id = $1', [one.accountId])).rowCount ??
      0;
    await purgeAllowances(database.pool, clock.nowMs() + 7 * DAY_MS);
    expect([await days(account), await days(other)]).toEqual([1, 1]);
    // The settlement keeps what was used; the invariant that compares both looks at counters that are there.
    await purgeAllowances(database.pool, clock.nowMs() + 8 * DAY_MS);
    expect([await days(account), await days(other)]).toEqual([1, 0]);
  });
});
