import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { creditsFromMicro, newExecutionId, systemClock, type ExecutionId } from '@capability-router/kernel';
import { checkInvariants } from '../invariants/check-invariants.js';
import { MoneyAccount } from '../test-support/money-account.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { forestallHolds } from './forestall-holds.sql.js';
import { placeHold } from './place-hold.js';
import { FORESTALLED_KEPT_MS, purgeForestalledHolds } from './purge-forestalled-holds.sql.js';
import { releaseHolds } from './release-holds.sql.js';

/** Above the rows of one statement. */
const MANY = 1_100;

let database: ScratchDatabase;
let account: MoneyAccount;
beforeAll(async () => {
  database = await createScratchDatabase();
  account = await MoneyAccount.open(database.pool, systemClock, 5_000_000n);
});
afterAll(() => database.drop());

const place = (billableId: ExecutionId, nowMs: number) =>
  placeHold(database.pool, {
    billableId,
    accountId: account.accountId,
    amount: creditsFromMicro(1_000_000n),
    inquireAfter: new Date(nowMs + 20_000),
    now: new Date(nowMs),
  });
const forestall = (ids: readonly ExecutionId[], nowMs: number) =>
  forestallHolds(
    database.pool,
    ids.map((billableId) => ({ billableId, accountId: account.accountId, amountMicroCredits: '1000000' })),
    new Date(nowMs),
  );
const holds = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ execution_id: string }>(
    'SELECT execution_id FROM holds ORDER BY placed_at',
  );
  return rows.map(({ execution_id: id }) => id);
};

it('forgets after a day which holds may not be placed, and removes no hold that was', async () => {
  const nowMs = systemClock.nowMs();
  const [placed, released, ghost, later] = [0, 1, 2, 3].map((turn) => newExecutionId(nowMs + turn)) as [
    ExecutionId,
    ExecutionId,
    ExecutionId,
    ExecutionId,
  ];
  for (const [turn, id] of [placed, released].entries()) expect((await place(id, nowMs + turn)).status).toBe('held');
  await releaseHolds(database.pool, [released], new Date(nowMs + 1));
  // Those that were placed are not noted, although whoever forestalls them does not know it.
  await forestall([placed, released, ghost], nowMs + 2);
  await forestall([later], nowMs + 3);
  const removed = await Promise.all(
    [0, 1].map(() => purgeForestalledHolds(database.pool, nowMs + FORESTALLED_KEPT_MS + 1)),
  );
  expect([removed, await holds()]).toEqual([
    [0, 0],
    [placed, released, ghost, later],
  ]);
  expect((await place(ghost, nowMs)).status).toBe('conflict');
  expect(await purgeForestalledHolds(database.pool, nowMs + FORESTALLED_KEPT_MS + 2)).toBe(1);
  expect(await holds()).toEqual([placed, released, later]);
  expect(await checkInvariants(database.pool)).toEqual([]);
});

it('removes as many as there are, and each once where two replicas do', async () => {
  const nowMs = systemClock.nowMs() + 60_000;
  await forestall(
    Array.from({ length: MANY }, () => newExecutionId(nowMs)),
    nowMs,
  );
  const before = (await holds()).length;
  const untilMs = nowMs + FORESTALLED_KEPT_MS;
  const removed = await Promise.all([0, 1].map(() => purgeForestalledHolds(database.pool, untilMs)));
  // The one of the test before is due by now, too.
  expect((removed[0] ?? 0) + (removed[1] ?? 0)).toBe(MANY + 1);
  expect((await holds()).length).toBe(before - MANY - 1);
});
