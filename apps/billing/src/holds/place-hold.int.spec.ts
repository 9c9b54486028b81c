/** @postgres-versions Money moves in transactions at the same time. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SearchEndStatesRequest } from '@capability-router/contracts';
import {
  creditsFromMicro,
  newAccountId,
  newExecutionId,
  newSearchId,
  systemClock,
  type AccountId,
} from '@capability-router/kernel';
import { applyAccountEvents } from '../grants/account-events.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { accountOpened, terminalEvent } from '../test-support/events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import type { BillableId } from './domain/billable-id.js';
import { sweepHolds } from './hold-sweeper.js';
import { placeHold } from './place-hold.js';

const PRICE = creditsFromMicro(1_000_000n);
const CLIENTS = 50;
const AFFORDABLE = 10;

describe('holds', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase(20);
  });
  afterAll(() => database.drop());

  async function openAccount(grantMicro: bigint): Promise<AccountId> {
    const accountId = newAccountId(systemClock.nowMs());
    const event = accountOpened(accountId, grantMicro, systemClock.nowMs());
    await inTransaction(database.pool, (tx) => applyAccountEvents(tx, [event], systemClock));
    return accountId;
  }

  const hold = (accountId: AccountId, billableId: BillableId = newExecutionId(systemClock.nowMs()), amount = PRICE) => {
    const now = new Date(systemClock.nowMs());
    return placeHold(database.pool, { accountId, billableId, amount, inquireAfter: now, now });
  };

  it('never reserves more than the balance when 50 clients race for 10 calls, with settlement running', async () => {
    const accountId = await openAccount(PRICE * BigInt(AFFORDABLE));
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const executionId = newExecutionId(systemClock.nowMs());
        const answer = await hold(accountId, executionId);
        if (answer.status === 'held') {
          const event = terminalEvent({
            executionId,
            accountId,
            type: 'ExecutionCompleted',
            success: true,
            bill: PRICE,
            nowMs: systemClock.nowMs(),
          });
          await inTransaction(database.pool, (tx) => settleExecutions(tx, [event], systemClock));
        }
        return answer.status;
      }),
    );
    expect(answers.filter((status) => status === 'held')).toHaveLength(AFFORDABLE);
    expect(answers.filter((status) => status === 'insufficient_credits')).toHaveLength(CLIENTS - AFFORDABLE);
    expect(await checkInvariants(database.pool)).toEqual([]);
    const { rows } = await database.pool.query(
      'SELECT balance_micro, held_micro FROM account_balances WHERE account_id = $1',
      [accountId],
    );
    expect(rows).toEqual([{ balance_micro: '0', held_micro: '0' }]);
  });

  it('answers an equal hold alike and any other one for the same execution as a conflict', async () => {
    const accountId = await openAccount(PRICE * 3n);
    const executionId = newExecutionId(systemClock.nowMs());
    expect((await hold(accountId, executionId)).status).toBe('held');
    expect((await hold(accountId, executionId)).status).toBe('held');
    expect((await hold(accountId, executionId, creditsFromMicro(1n))).status).toBe('conflict');
    expect((await hold(await openAccount(PRICE), executionId)).status).toBe('conflict');
    const { rows } = await database.pool.query('SELECT held_micro FROM account_balances WHERE account_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([{ held_micro: PRICE.toString() }]);
  });

  it('releases what dead executions reserved, and only those', async () => {
    const accountId = await openAccount(PRICE * 3n);
    const ids = await Promise.all(
      [1, 2, 3].map(async () => {
        const executionId = newExecutionId(systemClock.nowMs());
        await hold(accountId, executionId);
        return executionId;
      }),
    );
    const [running = '', completed = '', interrupted = ''] = ids;
    const owners = {
      askExecutions: () =>
        Promise.resolve({
          endStates: { [running]: 'running', [completed]: 'completed', [interrupted]: 'interrupted' } as const,
        }),
      askSearches: () => Promise.reject(new Error('no search was held for')),
    };
    const options = { batchSize: 100, inquiryAgeMs: 60_000 };
    await sweepHolds(database.pool, owners, systemClock, options);
    const { rows } = await database.pool.query<{ execution_id: string; state: string }>(
      'SELECT execution_id, state FROM holds WHERE account_id = $1',
      [accountId],
    );
    expect(Object.fromEntries(rows.map((row) => [row.execution_id, row.state]))).toEqual({
      [running]: 'open',
      [completed]: 'open',
      [interrupted]: 'released',
    });
    expect(await sweepHolds(database.pool, owners, systemClock, options)).toMatchObject({ asked: 0 });
    expect(await checkInvariants(database.pool)).toEqual([]);
  });

  it('asks registry about searches and execution about executions, and one that is down holds up its own only', async () => {
    const accountId = await openAccount(PRICE * 3n);
    const [executionId, searchId] = [newExecutionId(systemClock.nowMs()), newSearchId(systemClock.nowMs())];
    expect((await hold(accountId, executionId)).status).toBe('held');
    expect((await hold(accountId, searchId)).status).toBe('held');
    expect((await hold(accountId, searchId)).status).toBe('held');
    const asked: unknown[] = [];
    const owners = {
      askExecutions: () => Promise.reject(new Error('execution is down')),
      askSearches: (request: SearchEndStatesRequest) => {
        asked.push(request);
        return Promise.resolve({ endStates: { [searchId]: 'interrupted' } as const });
      },
    };
    const options = { batchSize: 100, inquiryAgeMs: 60_000 };
    await expect(sweepHolds(database.pool, owners, systemClock, options)).rejects.toThrow('execution is down');
    expect(asked).toEqual([{ searches: [{ searchId, accountId }] }]);
    const { rows } = await database.pool.query<{ execution_id: string; state: string }>(
      'SELECT execution_id, state FROM holds WHERE account_id = $1',
      [accountId],
    );
    expect(Object.fromEntries(rows.map((row) => [row.execution_id, row.state]))).toEqual({
      [executionId]: 'open',
      [searchId]: 'released',
    });
    expect(await checkInvariants(database.pool)).toEqual([]);
  });
});
