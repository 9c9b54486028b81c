import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { hashPriceRule, type AccountAssertion, type RunPlanRequest } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newAccountId, newExecutionId, systemClock } from '@capability-router/kernel';
import { until } from '../test-support/replicated-execution.js';
import { startExecution, type Answer, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const paid = toolContract({
  price: { metering: { kind: 'call' }, amountMicroCredits: '100000', unitLabel: 'call' },
});
const body = { tool_id: paid.toolId, parameters: { city: 'Bern' } };
const plan: RunPlanRequest = {
  capability: { capabilityId: 'weather.now' },
  attempts: [
    {
      toolId: paid.toolId,
      toolVersion: paid.version,
      priceRuleHash: hashPriceRule(paid.price),
      parameters: body.parameters,
    },
  ],
  fields: {},
  deadlineMs: 30_000,
  repeatable: true,
  request: { capability_id: 'weather.now' },
};

let asked = 0;
let execution: RunningExecution;
let closed: AccountAssertion;
beforeAll(async () => {
  execution = await startExecution([paid], {
    call: () => {
      asked += 1;
      return Promise.resolve({ kind: 'answered', data: { degrees: 21 } });
    },
    close: () => Promise.resolve(),
  });
  closed = { ...execution.account, accountId: newAccountId(systemClock.nowMs()) };
  await execution.publishOfAccount('AccountStateChanged', { accountId: closed.accountId, state: 'closed' });
  await until(async () => (await execution.call(body, { account: closed })).status === 404);
  asked = 0;
}, 60_000);
afterAll(() => execution.stop());

const refused = {
  status: 404,
  body: { status: 'failure', code: 'account_not_active', message: expect.stringContaining('closed') },
};

it.each<[string, (executionId: ReturnType<typeof newExecutionId>) => Promise<Answer>]>([
  ['a call', (executionId) => execution.call(body, { account: closed, executionId })],
  [
    'a call with an idempotency key',
    (executionId) => execution.call(body, { account: closed, executionId, idempotencyKey: 'closed' }),
  ],
  ['a query', (executionId) => execution.internal('capability-routing', '/internal/plans', plan, executionId, closed)],
])('%s of an account that is closed by then is a 404, runs nothing and keeps no hold', async (_what, send) => {
  const executionId = newExecutionId(systemClock.nowMs());
  expect(await send(executionId)).toMatchObject(refused);
  expect(asked).toBe(0);
  const { pool } = execution.database;
  const keys = await pool.query('SELECT FROM idempotency_keys WHERE account_id = $1', [closed.accountId]);
  expect(keys.rowCount).toBe(0);
  // The end that takes its place gives back the hold that was placed beside the start.
  const isHeld = execution.billing.holds.some((hold) => 'executionId' in hold && hold.executionId === executionId);
  const typesOf = async () => (await readStream(pool, executionId)).map(({ type }) => type);
  if (isHeld) await until(async () => (await typesOf()).length > 0);
  expect(await typesOf()).toEqual(isHeld ? ['ExecutionInterrupted'] : []);
});

it('another account goes on', async () => {
  expect(await execution.call(body)).toMatchObject({ status: 200, body: { success: true } });
});
