import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newExecutionId, systemClock, type ExecutionId } from '@capability-router/kernel';
import type { CredentialBudgets } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { startExecution, type RunningExecution } from '../../test-support/running-execution.js';
import { toolContract } from '../../test-support/tool-contract.js';

/** 0.25 credits. */
const paid = toolContract();
const free = toolContract({ toolId: 'demo.weather.free.v1', price: { ...paid.price, amountMicroCredits: '0' } });
const parameters = { city: 'Bern' };
let calls = 0;
let execution: RunningExecution;

beforeAll(async () => {
  execution = await startExecution([paid, free], {
    call: () => {
      calls += 1;
      return Promise.resolve({ kind: 'answered', data: { degrees: 21 } });
    },
    close: () => Promise.resolve(),
  });
});
afterAll(() => execution.stop());
beforeEach(() => {
  calls = 0;
  execution.billing.available = 10_000_000n;
  execution.billing.budgets = [];
  execution.billing.holds.length = 0;
});

const newId = () => newExecutionId(systemClock.nowMs());
const eventsOf = (executionId: ExecutionId) => readStream(execution.database.pool, executionId);
const trial = (maxCallMicroCredits: string) =>
  ({ ...execution.account, accountKind: 'trial', maxCallMicroCredits }) as const;

describe('a Call with max_credits', () => {
  it('below its bound is refused before anything is held, with one event and what the account has', async () => {
    const executionId = newId();
    const body = { tool_id: paid.toolId, parameters, max_credits: 0.249999 };
    const refused = await execution.call(body, { executionId });
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({
      execution_id: executionId,
      success: false,
      code: 'budget_exceeded',
      remaining_credits: 10,
      error_message: expect.stringContaining('max_credits allows 0.249999'),
      execution_outcome: { reason_code: 'budget_exceeded' },
      details: [
        {
          type: 'budget_exceeded',
          loc: ['body', 'max_credits'],
          scope: 'call',
          needed_credits: 0.25,
          available_credits: 0.249999,
        },
      ],
    });
    expect([calls, execution.billing.holds]).toEqual([0, []]);
    expect((await eventsOf(executionId)).map(({ type, data }) => [type, data['httpStatusCode']])).toEqual([
      ['ExecutionRefused', 402],
    ]);
  });

  it.each([
    [paid.toolId, 0.25],
    [free.toolId, 0.000001],
  ])('that its bound does not pass runs: %s with %s', async (toolId, credits) => {
    const { status } = await execution.call({ tool_id: toolId, parameters, max_credits: credits });
    expect([status, calls]).toEqual([200, 1]);
  });

  it.each([
    ['the body', 0.1, '200000', 'max_credits', 0.1],
    ['the body, where both are the same,', 0.2, '200000', 'max_credits', 0.2],
    ['the credential', 0.2, '100000', 'credits_per_call', 0.1],
    ['the credential alone', undefined, '100000', 'credits_per_call', 0.1],
  ])('is told the limit of %s where that is the tighter one', async (_who, credits, ofTrial, name, limit) => {
    const body = { tool_id: paid.toolId, parameters, ...(credits === undefined ? {} : { max_credits: credits }) };
    const refused = await execution.call(body, { account: trial(ofTrial) });
    expect(refused).toMatchObject({
      status: 402,
      body: { remaining_credits: 10, details: [{ loc: [expect.anything(), name], available_credits: limit }] },
    });
  });

  it('that is no amount is refused with 422 that names it', async () => {
    const refused = await execution.call({ tool_id: paid.toolId, parameters, max_credits: 0 });
    expect(refused).toMatchObject({ status: 422, body: { details: [{ loc: ['body', 'max_credits'], input: 0 }] } });
    expect(execution.billing.holds).toEqual([]);
  });
});

describe('a Call that billing finds above budgets of its credential', () => {
  it('is refused with each of them, the tightest first, and never runs', async () => {
    execution.billing.budgets = [
      { scope: 'session', limitMicroCredits: '200000', availableMicroCredits: '0' },
      {
        scope: 'key',
        limitMicroCredits: '5000000',
        availableMicroCredits: '100000',
        periodEndsAt: '2026-04-01T00:00:00.000Z',
      },
    ];
    const executionId = newId();
    const { status, body } = await execution.call({ tool_id: paid.toolId, parameters }, { executionId });
    expect(status).toBe(402);
    expect(body).toMatchObject({ code: 'budget_exceeded', remaining_credits: 10, success: false });
    expect(body['details']).toEqual([
      {
        type: 'budget_exceeded',
        loc: ['api_key', 'session_budget'],
        msg: body['error_message'],
        scope: 'session',
        needed_credits: 0.25,
        available_credits: 0,
        limit_credits: 0.2,
      },
      {
        type: 'budget_exceeded',
        loc: ['api_key', 'budget'],
        msg: expect.stringContaining('until 2026-04-01'),
        scope: 'key',
        needed_credits: 0.25,
        available_credits: 0.1,
        limit_credits: 5,
        period_ends_at: '2026-04-01T00:00:00.000Z',
      },
    ]);
    expect(calls).toBe(0);
    const events = await eventsOf(executionId);
    expect(events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionRefused']);
    expect(events[1]?.data).toMatchObject({ httpStatusCode: 402, outcome: { reasonCode: 'budget_exceeded' } });
  });
});

describe('the session of a Call', () => {
  const withBudgets = (budgets: CredentialBudgets) => ({ ...execution.account, budgets });
  const session: CredentialBudgets = { session: { limitMicroCredits: '1000000' } };

  it.each([
    ['is told to billing where its credential has a budget per session', session, 'task', 'task'],
    ['that has none is not', session, undefined, undefined],
    ['is not told where sessions have no budget', {}, 'task', undefined],
  ])('%s', async (_what, budgets, sessionId, told) => {
    const body = { tool_id: paid.toolId, parameters, ...(sessionId === undefined ? {} : { session_id: sessionId }) };
    await execution.call(body, { account: withBudgets(budgets) });
    expect(execution.billing.holds.map((hold) => hold.sessionId)).toEqual([told]);
  });
});
