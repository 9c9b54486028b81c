import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { creditsFromMicro, ManualClock, newAccountId, newExecutionId } from '@capability-router/kernel';
import { applyAccountEvents } from '../grants/account-events.js';
import { placeHold } from '../holds/place-hold.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { accountOpened, terminalEvent } from '../test-support/events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { settleExecutions } from './settle-executions.js';

const NOW = 1_763_700_000_000;

describe('a hold of another account than its terminal event', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    ['a bill', 1_000_000n, 'uncollected'],
    ['no bill', 0n, 'not_applicable'],
  ])('with %s is an exception: nobody is charged and its own account has it back', async (_what, bill, status) => {
    const clock = new ManualClock(NOW);
    const now = new Date(NOW);
    const [holder, other] = [newAccountId(NOW), newAccountId(NOW)];
    const opened = [holder, other].map((id) => accountOpened(id, 5_000_000n, NOW));
    await inTransaction(database.pool, (tx) => applyAccountEvents(tx, opened, clock));
    const executionId = newExecutionId(NOW);
    const amount = creditsFromMicro(2_000_000n);
    const hold = { billableId: executionId, accountId: holder, amount, inquireAfter: now, now };
    expect((await placeHold(database.pool, hold)).status).toBe('held');

    const run = { executionId, accountId: other, success: true, bill, nowMs: NOW };
    const event = terminalEvent({ ...run, type: 'ExecutionCompleted' });
    await inTransaction(database.pool, (tx) => settleExecutions(tx, [event], clock));

    const { rows: exceptions } = await database.pool.query(
      'SELECT account_id, kind, requested_micro FROM settlement_exceptions WHERE execution_id = $1',
      [executionId],
    );
    expect(exceptions).toEqual([
      { account_id: other, kind: 'hold_of_another_account', requested_micro: bill.toString() },
    ]);
    const { rows: settled } = await database.pool.query(
      'SELECT account_id, status, settled_micro FROM settlements WHERE source_ref_id = $1',
      [executionId],
    );
    expect(settled).toEqual([{ account_id: other, status, settled_micro: '0' }]);
    const { rows: holds } = await database.pool.query('SELECT state FROM holds WHERE execution_id = $1', [executionId]);
    expect(holds).toEqual([{ state: 'released' }]);
    const { rows: balances } = await database.pool.query(
      'SELECT account_id, balance_micro, held_micro FROM account_balances WHERE account_id = ANY($1)',
      [[holder, other]],
    );
    expect(balances).toEqual(
      expect.arrayContaining([
        { account_id: holder, balance_micro: '5000000', held_micro: '0' },
        { account_id: other, balance_micro: '5000000', held_micro: '0' },
      ]),
    );
    expect(await checkInvariants(database.pool)).toEqual([]);
  });
});
