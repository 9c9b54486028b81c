import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ForestalledHold, PlaceHoldResponse } from '@capability-router/contracts';
import {
  creditsFromMicro,
  newAccountId,
  newExecutionId,
  systemClock,
  type AccountId,
  type ExecutionId,
} from '@capability-router/kernel';
import { delay } from '@capability-router/service-kit';
import { checkInvariants } from '../invariants/check-invariants.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { terminalEvent } from '../test-support/events.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { SeededRandom, seedOfRun } from '../test-support/random.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { forestallHolds } from './forestall-holds.sql.js';
import { HoldGroups } from './hold-groups.js';
import type { PlaceHold } from './domain/wanted-hold.js';

const MICRO = 1_000_000n;
/** More where TEST_HISTORIES asks for more histories than every run plays. */
const ROUNDS = process.env['TEST_HISTORIES'] === undefined ? 4 : 40;
const HOLDS_OF_A_ROUND = 150;
/** So many looks in a row that find somebody waiting are no moment's wait any more. */
const LOOKS = 200;
/** Milliseconds: thousands of commits, on a disk that others use as well. */
const TIMEOUT_MS = 600_000;
jest.setTimeout(TIMEOUT_MS);

describe('holds that come at the same time', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase(20);
  });
  afterAll(() => database.drop());

  const openAccount = async (grantMicro: bigint): Promise<AccountId> =>
    (await MoneyAccount.open(database.pool, systemClock, grantMicro)).accountId;
  const holdOf = (accountId: AccountId, micro: bigint = MICRO): PlaceHold => {
    const now = new Date(systemClock.nowMs());
    const billableId = newExecutionId(systemClock.nowMs());
    return { accountId, billableId, amount: creditsFromMicro(micro), inquireAfter: now, now };
  };
  const placeAll = (groups: HoldGroups, holds: readonly PlaceHold[]): Promise<PlaceHoldResponse[]> =>
    Promise.all(holds.map((hold) => groups.place(hold)));
  const statuses = (answers: readonly PlaceHoldResponse[]): string[] => answers.map(({ status }) => status);
  const heldOf = async (accountId: AccountId): Promise<bigint> => {
    const { rows } = await database.pool.query<{ held_micro: string }>(
      'SELECT held_micro FROM account_balances WHERE account_id = $1',
      [accountId],
    );
    return BigInt(rows[0]?.held_micro ?? '0');
  };

  const forestalledOf = ({ billableId, accountId, amount }: PlaceHold): ForestalledHold => ({
    billableId,
    accountId,
    amountMicroCredits: amount.toString(),
  });
  const forestall = (holds: readonly PlaceHold[]): Promise<void> =>
    forestallHolds(database.pool, holds.map(forestalledOf), new Date(systemClock.nowMs()));
  const transactionsOf = async (accountId: AccountId): Promise<number> => {
    const { rows } = await database.pool.query<{ transactions: number }>(
      `SELECT count(DISTINCT xmin::text)::int AS transactions FROM holds WHERE account_id = $1 AND state = 'open'`,
      [accountId],
    );
    return rows[0]?.transactions ?? 0;
  };
  /** Statements that wait for the lock of another one. */
  const waiting = async (): Promise<number> => {
    const { rows } = await database.pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.waiting ?? 0;
  };

  it('share transactions, and each is told what is available after it', async () => {
    const accountId = await openAccount(MICRO * 100n);
    const holds = Array.from({ length: 50 }, () => holdOf(accountId));
    const answers = await placeAll(new HoldGroups(database.pool), holds);
    expect(new Set(statuses(answers))).toEqual(new Set(['held']));
    const available = answers.map((answer) => ('availableMicroCredits' in answer ? answer.availableMicroCredits : ''));
    expect(new Set(available)).toEqual(new Set(holds.map((_, index) => String(MICRO * BigInt(99 - index)))));
    // Two find nobody to share with; all others come while those are under way.
    expect(await transactionsOf(accountId)).toBeLessThanOrEqual(4);
  });

  it('are held as far as the balance goes, and the others told what is missing', async () => {
    const [rich, poor] = [await openAccount(MICRO * 40n), await openAccount(MICRO * 7n)];
    const holds = Array.from({ length: 40 }, () => [holdOf(rich), holdOf(poor)]).flat();
    const answers = await placeAll(new HoldGroups(database.pool), holds);
    const heldFor = (id: AccountId) =>
      answers.filter((answer, i) => holds[i]?.accountId === id && answer.status === 'held');
    expect([heldFor(rich).length, heldFor(poor).length]).toEqual([40, 7]);
    const refused = answers.filter(({ status }) => status !== 'held');
    expect(refused).toEqual(Array(33).fill({ status: 'insufficient_credits', availableMicroCredits: '0' }));
  });

  it('do not keep a small one from what a large one did not fit into', async () => {
    const accountId = await openAccount(MICRO * 10n);
    const groups = new HoldGroups(database.pool);
    const ahead = [holdOf(accountId), holdOf(accountId)];
    // Which of those ahead has been placed before the others come is left open: behind either of them it does not fit.
    const large = holdOf(accountId, MICRO * 10n);
    const answers = await placeAll(groups, [...ahead, large, holdOf(accountId), holdOf(accountId)]);
    expect(statuses(answers)).toEqual(['held', 'held', 'insufficient_credits', 'held', 'held']);
    expect(await heldOf(accountId)).toBe(MICRO * 4n);
  });

  it('are placed although one of them is a twin, a conflict, or of an account that does not exist', async () => {
    const accountId = await openAccount(MICRO * 100n);
    const groups = new HoldGroups(database.pool);
    const known = holdOf(accountId);
    const other = { ...known, amount: creditsFromMicro(5n) };
    expect((await groups.place(known)).status).toBe('held');
    const fresh = Array.from({ length: 20 }, () => holdOf(accountId));
    const [twice] = fresh;
    if (twice === undefined) throw new Error('there are holds');
    const nobody = holdOf(newAccountId(systemClock.nowMs()));
    const answers = await placeAll(groups, [...fresh, known, other, twice, nobody]);
    expect(statuses(answers)).toEqual([...fresh.map(() => 'held'), 'held', 'conflict', 'held', 'insufficient_credits']);
    expect(await heldOf(accountId)).toBe(MICRO * 21n);
  });

  it('share transactions although half of them were forestalled, which are conflicts', async () => {
    const accountId = await openAccount(MICRO * 100n);
    const holds = Array.from({ length: 60 }, () => holdOf(accountId));
    const isLate = (index: number): boolean => index % 2 === 1;
    await forestall(holds.filter((_, index) => isLate(index)));
    const answers = await placeAll(new HoldGroups(database.pool), holds);
    expect(statuses(answers)).toEqual(holds.map((_, index) => (isLate(index) ? 'conflict' : 'held')));
    expect(await heldOf(accountId)).toBe(MICRO * 30n);
    expect(await transactionsOf(accountId)).toBeLessThanOrEqual(4);
  });

  it('are written in the order of their ids, as those that are forestalled, so that neither waits for the other', async () => {
    const accountId = await openAccount(MICRO * 100n);
    const [first, second, third] = [holdOf(accountId), holdOf(accountId), holdOf(accountId)].toSorted((a, b) =>
      a.billableId < b.billableId ? -1 : 1,
    ) as [PlaceHold, PlaceHold, PlaceHold];
    const alone = [holdOf(accountId), holdOf(accountId)];
    const other = await database.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query(
        `INSERT INTO holds (execution_id, account_id, amount_micro, inquire_after, placed_at) VALUES ($1, $2, 1, now(), now())`,
        [first.billableId, accountId],
      );
      const placed = placeAll(new HoldGroups(database.pool), [...alone, third, second, first]);
      while ((await waiting()) === 0) await delay(5);
      const progress = { forestalled: false };
      const forestalling = forestall([second]).then(() => (progress.forestalled = true));
      // It may wait for a moment, but not for the group, which waits for the first until that is rolled back.
      let looks = 0;
      while (!progress.forestalled && looks < LOOKS) {
        looks = (await waiting()) < 2 ? 0 : looks + 1;
        await delay(5);
      }
      expect(progress.forestalled).toBe(true);
      await other.query('ROLLBACK');
      await forestalling;
      expect(statuses(await placed)).toEqual(['held', 'held', 'held', 'conflict', 'held']);
    } finally {
      other.release(true);
    }
  });

  it('never reserve more than there is, on two replicas, each hold sent to both, while others are settled', async () => {
    const random = new SeededRandom(seedOfRun());
    console.info(`TEST_SEED=${random.seed}`);
    const grants = [3n, 20n, 60n, 400n, 4_000n];
    const accounts = await Promise.all(grants.map((grant) => openAccount(grant * MICRO)));
    const replicas = [new HoldGroups(database.pool), new HoldGroups(database.pool)];
    let held = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const holds = Array.from({ length: HOLDS_OF_A_ROUND }, () =>
        holdOf(random.pick(accounts), BigInt(random.integer(1, 3_000_000))),
      );
      const backwards = holds.toReversed();
      const [first, second] = await Promise.all([
        placeAll(replicas[0] as HoldGroups, holds),
        placeAll(replicas[1] as HoldGroups, backwards),
      ]);
      expect(statuses(second.toReversed())).toEqual(statuses(first));
      const events = holds
        .filter((_, index) => first[index]?.status === 'held' && random.next() < 0.8)
        .map(({ billableId, accountId, amount }) =>
          terminalEvent({
            executionId: billableId as ExecutionId,
            accountId,
            type: 'ExecutionCompleted',
            success: true,
            bill: random.next() < 0.5 ? amount : creditsFromMicro(1n),
            nowMs: systemClock.nowMs(),
          }),
        );
      held += events.length;
      const next = accounts.map((accountId) => holdOf(accountId, 1n));
      await Promise.all([
        inTransaction(database.pool, (tx) => settleExecutions(tx, events, systemClock)),
        placeAll(replicas[0] as HoldGroups, next),
      ]);
      expect(await checkInvariants(database.pool)).toEqual([]);
    }
    expect(held).toBeGreaterThan(0);
  });
});
