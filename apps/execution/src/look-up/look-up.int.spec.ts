import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newAccountId, newExecutionId, systemClock, toIso, type JsonObject } from '@capability-router/kernel';
import { ExecutionJournal } from '../call/journal/execution-journal.js';
import type { Answer } from '../test-support/running-execution.js';
import {
  free,
  paid,
  startReplicatedExecution,
  until,
  type ReplicatedExecution,
} from '../test-support/replicated-execution.js';

/** Milliseconds after which no start of an id can come any more. */
const LONG_AGO_MS = 120_000;

let world: ReplicatedExecution;
beforeAll(async () => {
  world = await startReplicatedExecution();
}, 60_000);
afterAll(() => world.stop());
beforeEach(() => {
  world.reset();
  world.first.billing.settlement = { settlementState: 'pending' };
});

const byId = (executionId: unknown, account?: (typeof world)['first']['account']): Promise<Answer> =>
  world.first.read(`/api/v1/tools/executions/${String(executionId)}`, account);
const dataOf = async (executionId: unknown): Promise<JsonObject> =>
  (await byId(executionId)).body['data'] as JsonObject;

describe('the look-up of an execution', () => {
  it('says pending while it runs, then that it ended, and what of its answer is left', async () => {
    let release = (): void => undefined;
    world.answer = (_request, response) => {
      release = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"degrees":3}');
    };
    const executionId = newExecutionId(systemClock.nowMs());
    const running = world.first.call(paid(), { executionId });
    await until(() => world.requests === 1);
    expect(await dataOf(executionId)).toEqual({
      status: 'pending',
      execution_id: executionId,
      execution_state: 'pending',
      provider_request_dispatched: true,
      settlement_state: 'pending',
      retry_disposition: 'reconcile_first',
    });
    release();
    const { body } = await running;
    const { remaining_credits: _then, result: _result, ...recorded } = body;
    world.first.billing.settlement = {
      settlementState: 'settled',
      amountMicroCredits: '250000',
      ledgerEntryId: `led_${'a'.repeat(32)}`,
    };
    expect(await dataOf(executionId)).toEqual({
      status: 'unavailable',
      execution_id: executionId,
      execution_state: 'completed',
      provider_request_dispatched: true,
      settlement_state: 'settled',
      amount_credits: 0.25,
      ledger_entry_id: `led_${'a'.repeat(32)}`,
      retry_disposition: 'terminal',
      response: {
        ...recorded,
        result: { message: expect.any(String) },
        elapsed_time_ms: expect.any(Number),
        execution_time: expect.any(Number),
      },
      response_http_status: 200,
      result_unavailable_reason: 'not_kept',
    });
  });

  it('says the same by id as by key, with the whole answer', async () => {
    const key = randomUUID();
    const { body } = await world.send(key, free());
    const expected = {
      status: 'completed',
      execution_id: body['execution_id'],
      execution_state: 'completed',
      provider_request_dispatched: true,
      settlement_state: 'not_applicable',
      amount_credits: 0,
      retry_disposition: 'terminal',
      response: body,
      response_http_status: 200,
    };
    expect((await world.lookUp(key)).body['data']).toEqual(expected);
    expect(await dataOf(body['execution_id'])).toEqual(expected);
  });

  it('says of a refused call that nothing was sent, and with which status it was refused', async () => {
    const { body } = await world.first.call(paid({ parameters: {} }));
    expect(await dataOf(body['execution_id'])).toMatchObject({
      status: 'completed',
      execution_state: 'refused',
      provider_request_dispatched: false,
      settlement_state: 'not_applicable',
      amount_credits: 0,
      retry_disposition: 'terminal',
      response: { success: false, result: {}, execution_outcome: { reason_code: 'validation_error' } },
      response_http_status: 422,
    });
  });

  it('has the whole answer to a call that its provider failed', async () => {
    world.answer = (_request, response) => response.writeHead(500).end();
    const { body } = await world.first.call(paid());
    const { remaining_credits: _then, ...recorded } = body;
    expect(await dataOf(body['execution_id'])).toMatchObject({
      status: 'completed',
      response: { ...recorded, elapsed_time_ms: expect.any(Number), execution_time: expect.any(Number) },
    });
  });

  it('says what it knows where billing does not answer', async () => {
    const { body } = await world.first.call(paid());
    world.first.billing.settlement = undefined;
    const data = await dataOf(body['execution_id']);
    expect(data).toMatchObject({ execution_state: 'completed', settlement_state: 'pending' });
    expect(data).not.toHaveProperty('amount_credits');
  });
});

describe('an id that is not known', () => {
  const nowMs = systemClock.nowMs();
  const young = newExecutionId(nowMs);
  const old = newExecutionId(nowMs - LONG_AGO_MS);

  it('is execution_pending while it could still start, and execution_never_ran after', async () => {
    const pending = await byId(young);
    expect({ status: pending.status, body: pending.body }).toMatchObject({
      status: 404,
      body: { status: 'failure', code: 'execution_pending', message: expect.any(String) },
    });
    expect(pending.headers['retry-after']).toBe('2');
    const never = await byId(old);
    expect({ status: never.status, body: never.body }).toMatchObject({
      status: 404,
      body: { status: 'failure', code: 'execution_never_ran' },
    });
  });

  it('is what another account is told of an id, too', async () => {
    const { body } = await world.first.call(free());
    const other = { ...world.first.account, accountId: newAccountId(nowMs) };
    expect(await byId(body['execution_id'], other)).toMatchObject({ status: 404, body: { code: 'execution_pending' } });
  });

  it('never starts once it was said that it never ran, with a key or without, and frees its hold', async () => {
    const journal = new ExecutionJournal(world.first.database.pool, systemClock);
    const { accountId } = world.first.account;
    const started = {
      executionId: old,
      accountId,
      eventType: 'tool_execute' as const,
      credentialType: 'api_key' as const,
      holdMicroCredits: '0',
      startedAt: toIso(nowMs),
      deadlineAt: toIso(nowMs + 1_000),
    };
    expect(await journal.start(started, 'owner', 1_000)).toBe(false);
    const claim = {
      accountId,
      route: 'tools/execute',
      key: randomUUID(),
      fingerprint: 'f',
      lifetimeMs: 60_000,
    } as const;
    expect(await journal.start(started, 'owner', 1_000, { claim })).toBe(false);
    expect((await world.lookUp(claim.key)).status).toBe(404);
    const late = await world.first.call(paid(), { executionId: old });
    expect({ status: late.status, body: late.body }).toMatchObject({ status: 503, body: { code: 'not_dispatched' } });
    await until(async () => (await world.typesOf(old)).length === 1);
    expect(await world.typesOf(old)).toEqual(['ExecutionInterrupted']);
    expect(await byId(old)).toMatchObject({ status: 404, body: { code: 'execution_never_ran' } });
    expect(world.requests).toBe(0);
  });

  it.each(['exec_1', 'EXEC_', `exec_${'A'.repeat(32)}`, 'x'])(
    'is refused with 422 where it is none: %s',
    async (id) => {
      expect(await byId(id)).toMatchObject({ status: 422, body: { detail: [{ loc: ['path', 'execution_id'] }] } });
    },
  );
});

// The last one: it takes billing away.
describe('a call that was not run', () => {
  it('says so in its answer, and its id says so at once', async () => {
    await world.first.billing.close();
    const executionId = newExecutionId(systemClock.nowMs());
    const answer = await world.first.call(paid(), { executionId });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 503,
      body: { status: 'failure', code: 'not_dispatched' },
    });
    expect(await byId(executionId)).toMatchObject({ status: 404, body: { code: 'execution_never_ran' } });
    expect(world.requests).toBe(0);
  });
});
