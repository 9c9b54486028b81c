import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  newExecutionId,
  systemClock,
  usageEventIdOf,
  type ExecutionId,
  type JsonObject,
} from '@capability-router/kernel';
import type { ProviderAnswer } from '@capability-router/provider-kit';
import { readStream } from '@capability-router/event-store';
import { startExecution, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const paid = toolContract();
const hasty = toolContract({ toolId: 'demo.weather.hasty.v1', timeoutMs: 1_000 });
const free = toolContract({ toolId: 'demo.weather.free.v1', price: { ...paid.price, amountMicroCredits: '0' } });
const rows = toolContract({
  toolId: 'demo.weather.rows.v1',
  price: {
    metering: { kind: 'result_rows', path: 'rows', maxUnits: 100 },
    amountMicroCredits: '1000',
    unitLabel: 'row',
  },
});
const parameters = { city: 'Bern' };
let answer: () => Promise<ProviderAnswer>;
let calls = 0;
let execution: RunningExecution;

beforeAll(async () => {
  execution = await startExecution([paid, hasty, free, rows], {
    call: () => {
      calls += 1;
      return answer();
    },
    close: () => Promise.resolve(),
  });
});
afterAll(() => execution.stop());
beforeEach(() => {
  calls = 0;
  execution.billing.available = 10_000_000n;
  answer = () => Promise.resolve({ kind: 'answered', data: { degrees: 21 } });
});

const newId = () => newExecutionId(systemClock.nowMs());
const typesOf = async (executionId: ExecutionId) =>
  (await readStream(execution.database.pool, executionId)).map((event) => event.type);
const dataOf = async (executionId: ExecutionId) =>
  (await readStream(execution.database.pool, executionId)).at(-1)?.data as JsonObject;

describe('a Call', () => {
  it('that succeeds holds the bound, runs once, records its end and answers with the bill', async () => {
    const executionId = newId();
    const { status, body } = await execution.call(
      { tool_id: paid.toolId, parameters, search_id: 'srch_1', session_id: 's', model: 'm' },
      { executionId },
    );
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        execution_id: executionId,
        result: { data: { degrees: 21 } },
        success: true,
        error_message: null,
        execution_time: expect.any(Number),
        elapsed_time_ms: expect.any(Number),
        billing: {
          summary: '1 call × 0.25 credits = 0.25 credits',
          list_amount_credits: 0.25,
          charge_lines: [
            {
              component_key: 'call',
              description: '0.25 credits per call',
              quantity: 1,
              unit_label: 'call',
              amount_credits: 0.25,
            },
          ],
        },
        execution_outcome: expect.objectContaining({ outcome: 'success', reason_code: 'result.valid' }),
        cost: 0.25,
        remaining_credits: 9.75,
      },
    });
    // A replica of billing of the release before refuses a hold without `expiresAt`.
    const expiresAt = expect.stringMatching(/Z$/);
    expect(execution.billing.holds.at(-1)).toMatchObject({ executionId, amountMicroCredits: '250000', expiresAt });
    expect(calls).toBe(1);
    expect(await typesOf(executionId)).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    expect(await dataOf(executionId)).toMatchObject({
      accountId: execution.account.accountId,
      accountKind: execution.account.accountKind,
      searchId: 'srch_1',
      sessionId: 's',
      model: 'm',
      toolVersion: 1,
      holdMicroCredits: '250000',
      bill: { listAmountMicroCredits: '250000' },
      resultBytes: 14,
    });
  });

  it('counts the bill and not the hold in remaining_credits', async () => {
    answer = () => Promise.resolve({ kind: 'answered', data: { rows: [1, 2, 3] } });
    const { body } = await execution.call({ tool_id: rows.toolId, parameters });
    expect(body).toMatchObject({ cost: 0.003, remaining_credits: 9.997 });
  });

  it('of a free tool takes no hold', async () => {
    const holds = execution.billing.holds.length;
    const { body } = await execution.call({ tool_id: free.toolId, parameters });
    expect(body).toMatchObject({ success: true, cost: 0, billing: { summary: 'Free', list_amount_credits: 0 } });
    expect(execution.billing.holds).toHaveLength(holds);
  });

  it('with an empty result is not charged', async () => {
    answer = () => Promise.resolve({ kind: 'answered', data: [] });
    const { status, body } = await execution.call({ tool_id: paid.toolId, parameters });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: false,
      result: { data: [] },
      cost: 0,
      remaining_credits: 10,
      billing: { list_amount_credits: 0 },
      execution_outcome: { outcome: 'empty_result', reason_code: 'result.empty', billable_success: false },
    });
  });

  it('whose provider fails, throws or hangs ends with its reason and is not charged', async () => {
    const failures: [tool: typeof paid, () => Promise<ProviderAnswer>, string][] = [
      [
        paid,
        () =>
          Promise.resolve({ kind: 'failed', fault: 'http_error', message: '503', statusCode: 503, retryable: true }),
        'provider.http_error',
      ],
      [paid, () => Promise.reject(new Error('secret')), 'transport.execution_failed'],
      [hasty, () => new Promise(() => undefined), 'transport.timeout'],
    ];
    for (const [tool, failure, reason] of failures) {
      answer = failure;
      const { status, body } = await execution.call({ tool_id: tool.toolId, parameters });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: false,
        cost: 0,
        remaining_credits: expect.any(Number),
        execution_outcome: { reason_code: reason },
      });
      expect(JSON.stringify(body)).not.toContain('secret');
    }
  });

  it('beyond the credits is refused with what was needed and what is there, and never runs', async () => {
    execution.billing.available = 100_000n;
    const executionId = newId();
    const { status, body } = await execution.call({ tool_id: paid.toolId, parameters }, { executionId });
    expect(status).toBe(402);
    expect(body).toMatchObject({
      execution_id: executionId,
      success: false,
      code: 'insufficient_credits',
      remaining_credits: 0.1,
      details: [{ needed_credits: 0.25, available_credits: 0.1, scope: 'account' }],
    });
    expect(calls).toBe(0);
    expect(await typesOf(executionId)).toEqual(['ExecutionStarted', 'ExecutionRefused']);
  });

  it('above what the credential may spend on one call is refused, and tells what the account has', async () => {
    const executionId = newId();
    const account = { ...execution.account, accountKind: 'trial', maxCallMicroCredits: '249999' } as const;
    const { status, body } = await execution.call({ tool_id: paid.toolId, parameters }, { executionId, account });
    expect(status).toBe(402);
    expect(body).toMatchObject({
      success: false,
      code: 'budget_exceeded',
      remaining_credits: 10,
      details: [{ needed_credits: 0.25, available_credits: 0.249999, scope: 'call' }],
    });
    expect(calls).toBe(0);
    expect(await typesOf(executionId)).toEqual(['ExecutionRefused']);
  });

  it.each<[string, unknown, { query?: string; cacheMode?: string }, string]>([
    ['not an object', [1], {}, 'dict_type'],
    ['without tool_id', { parameters }, {}, 'missing'],
    ['with two tools', { tool_id: paid.toolId, parameters }, { query: `?tool_id=${free.toolId}` }, 'value_error'],
    ['with a bad cache mode', { tool_id: paid.toolId, parameters }, { cacheMode: 'x' }, 'enum'],
    ['of an unknown tool', { tool_id: 'no.such.tool.v1', parameters }, {}, 'value_error'],
    ['with wrong parameters', { tool_id: paid.toolId, parameters: { ctiy: 'Bern' } }, {}, 'missing'],
    ['with a negative size', { tool_id: paid.toolId, parameters, max_response_size: -5 }, {}, 'greater_than'],
  ])('%s is refused with 422 in Execute shape and leaves one event', async (_name, body, options, type) => {
    const executionId = newId();
    const refused = await execution.call(body, { ...options, executionId });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      execution_id: executionId,
      success: false,
      error_message: expect.any(String),
      cost: 0,
      details: expect.arrayContaining([expect.objectContaining({ type })]),
      execution_outcome: { outcome: 'refused', reason_code: 'validation_error' },
    });
    expect(await typesOf(executionId)).toEqual(['ExecutionRefused']);
    expect(calls).toBe(0);
  });

  it('whose execution was ended meanwhile answers interrupted, not charged', async () => {
    const executionId = newId();
    answer = async () => {
      // The lease of this owner lapses while the tool runs, and another replica sweeps. It may be renewed before that.
      const leaseFrom = (offset: string) =>
        execution.database.pool.query('UPDATE execution_owners SET lease_until = now() + $1::interval', [offset]);
      for (let tries = 0; tries < 400 && (await typesOf(executionId)).length < 2; tries += 1) {
        await leaseFrom('-1 s');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      // Else the next sweep would end the calls of the next tests.
      await leaseFrom('1 min');
      return { kind: 'answered', data: 1 };
    };
    const slow = execution.call({ tool_id: paid.toolId, parameters }, { executionId });
    const { status, body } = await slow;
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: false, cost: 0, execution_outcome: { outcome: 'interrupted' } });
    expect(await typesOf(executionId)).toEqual(['ExecutionStarted', 'ExecutionInterrupted']);
  }, 60_000);

  it('larger than max_response_size comes with a link that opens without an account', async () => {
    const data = { text: '好'.repeat(1_000) };
    answer = () => Promise.resolve({ kind: 'answered', data });
    const { body } = await execution.call({ tool_id: paid.toolId, parameters, max_response_size: 100 });
    const result = body['result'] as JsonObject;
    expect(result).not.toHaveProperty('data');
    const link = new URL(result['full_content_file_url'] as string);
    expect(link.origin).toBe('https://tools.example.com');
    const download = await execution.get(link.pathname);
    expect(download).toMatchObject({ status: 200, body: data });
    expect(download.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringContaining('attachment'),
    });
    expect((await execution.get(`${link.pathname}x`)).status).toBe(404);
  });

  it('keeps its payloads for billing, of the own account only', async () => {
    const executionId = newId();
    await execution.call({ tool_id: paid.toolId, parameters }, { executionId });
    const id = usageEventIdOf(executionId);
    const ask = (accountId: string) =>
      execution.internal('billing', '/internal/payloads:lookup', { accountId, usageEventIds: [id] });
    expect((await ask(execution.account.accountId)).body).toEqual({
      payloads: {
        [id]: {
          requestPayload: { tool_id: paid.toolId, parameters },
          responsePayloadSummary: { size_bytes: 14, preview: '{"degrees":21}' },
        },
      },
    });
    expect((await ask(`acc_${'0'.repeat(32)}`)).body).toEqual({ payloads: {} });
  });

  it('answers billing how executions ended, and nobody else', async () => {
    const executionId = newId();
    await execution.call({ tool_id: paid.toolId, parameters }, { executionId });
    const body = { executions: [{ executionId, accountId: execution.account.accountId }] };
    const path = '/internal/executions:end-states';
    expect((await execution.internal('billing', path, body)).body).toEqual({
      endStates: { [executionId]: 'completed' },
    });
    expect((await execution.internal('registry', path, body)).status).toBe(403);
    expect((await execution.internal('billing', path, { executions: [{ executionId: 'x' }] })).status).toBe(422);
  });

  it('with billing gone: 503 for a paid tool and nothing dispatched; a free tool still runs', async () => {
    await execution.billing.close();
    const executionId = newId();
    const refused = await execution.call({ tool_id: paid.toolId, parameters }, { executionId });
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('2');
    expect(refused.body).toEqual({ status: 'failure', message: expect.any(String), code: 'not_dispatched' });
    expect(calls).toBe(0);
    expect(await typesOf(executionId)).toEqual(['ExecutionStarted', 'ExecutionInterrupted']);
    expect(await dataOf(executionId)).toMatchObject({ httpStatusCode: 503 });
    const freeCall = await execution.call({ tool_id: free.toolId, parameters });
    expect(freeCall.body).toMatchObject({ success: true });
    expect(freeCall.body).not.toHaveProperty('remaining_credits');
  });
});
