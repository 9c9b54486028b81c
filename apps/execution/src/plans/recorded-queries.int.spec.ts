import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  hashPriceRule,
  MAX_REFUSAL_MESSAGE_LENGTH,
  type RunPlanRequest,
  type ToolContract,
} from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import type { ProviderAnswer } from '@capability-router/provider-kit';
import { startExecution, type Answer, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const first = toolContract({ toolId: 'demo.weather.first.v1' });
const second = toolContract({ toolId: 'demo.weather.second.v1' });
const kept = toolContract({ toolId: 'demo.weather.kept.v1', cache: { ttlMs: 600_000 } });
const failed: ProviderAnswer = { kind: 'failed', fault: 'http_error', message: '', statusCode: 500, retryable: true };
const served: ProviderAnswer = { kind: 'answered', data: { t: 21 } };

let answers: Readonly<Record<string, ProviderAnswer>> = {};
let untilAnswered: () => Promise<unknown> = () => Promise.resolve();
let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution([first, second, kept], {
    call: async ({ toolId }) => {
      await untilAnswered();
      return answers[toolId] ?? failed;
    },
    close: () => Promise.resolve(),
  });
});
afterAll(() => execution.stop());

const planOf = (tools: readonly ToolContract[], over: Partial<RunPlanRequest> = {}): RunPlanRequest => ({
  capability: { capabilityId: 'weather.now', contractVersion: 2, schemaHash: 'b'.repeat(64) },
  attempts: tools.map(({ toolId, version, price }) => ({
    toolId,
    toolVersion: version,
    priceRuleHash: hashPriceRule(price),
    parameters: { city: 'Bern' },
    result: { degrees: { from: '$.t' } },
  })),
  fields: { degrees: { type: 'number', required: true } },
  deadlineMs: 30_000,
  repeatable: true,
  request: { capability_id: 'weather.now', parameters: { place: 'Bern' } },
  answer: { parameters: { place: 'Bern' }, routing: { candidates: [{ tool_id: 'one' }], excluded: [] } },
  ...over,
});

async function run(plan: RunPlanRequest): Promise<Answer & { readonly executionId: string }> {
  const executionId = newExecutionId(systemClock.nowMs());
  return { executionId, ...(await execution.internal('capability-routing', '/internal/plans', plan, executionId)) };
}
const lookUp = async (path: string): Promise<JsonObject> =>
  (await execution.read(`/api/v1/tools/executions/${path}`)).body['data'] as JsonObject;

describe('the record of a query', () => {
  it('is found by its key while it runs, and has its answer afterwards', async () => {
    answers = { [first.toolId]: served };
    let pending: JsonObject = {};
    untilAnswered = async () => {
      pending = await lookUp('by-idempotency-key?key=of-a-query');
    };
    const { executionId, body } = await run(planOf([first], { idempotencyKey: 'of-a-query' }));
    untilAnswered = () => Promise.resolve();
    expect(pending).toMatchObject({ execution_id: executionId, status: 'pending' });
    const { response, status } = await lookUp('by-idempotency-key?key=of-a-query');
    expect([status, response]).toEqual(['completed', body]);
  });

  it('is told in the shape of its route where no answer is kept, and says that it was sent though a kept result served', async () => {
    answers = { [kept.toolId]: served };
    await run(planOf([kept]));
    const { executionId, body } = await run(planOf([first, kept]));
    expect(body).toMatchObject({ success: true, routing: { chosen: kept.toolId } });
    const found = await lookUp(executionId);
    expect(found).toMatchObject({
      provider_request_dispatched: true,
      response: {
        execution_id: executionId,
        capability_id: 'weather.now',
        credits_used: 0.25,
        routing: {
          chosen: kept.toolId,
          attempts: [
            { tool_id: first.toolId, status: 'failed', reason: 'provider.http_error', outcome: 'provider_failure' },
            { tool_id: kept.toolId, status: 'served', reason: 'result.valid', outcome: 'success' },
          ],
        },
      },
    });
    expect((found['response'] as JsonObject)['routing']).not.toHaveProperty('candidates');
    // It comes with the hash or not at all, and the record has no hash.
    expect(found['response']).not.toHaveProperty('contract_version');
  });

  it('is what a replay tells once its answer is gone, whatever routing decides by then', async () => {
    answers = { [first.toolId]: served };
    const { executionId } = await run(planOf([first], { idempotencyKey: 'answer-gone' }));
    await execution.database.owner.query('DELETE FROM idempotent_answers WHERE execution_id = $1', [executionId]);
    const again = await run(
      planOf([kept], { idempotencyKey: 'answer-gone', answer: { routing: { candidates: [1] } } }),
    );
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toMatchObject({ execution_id: executionId, capability_id: 'weather.now', success: true });
    const attempt = { tool_id: first.toolId, tool_version: 1, status: 'served', outcome: 'success' };
    expect(again.body['routing']).toMatchObject({ chosen: first.toolId, attempts: [attempt] });
    expect(again.body['routing']).not.toHaveProperty('candidates');
  });

  it('says of which attempts the fault is ours, and the answer does not', async () => {
    answers = { [first.toolId]: { ...failed, ours: true }, [second.toolId]: served };
    const { executionId, body } = await run(planOf([first, second]));
    const [, end] = await readStream(execution.database.pool, executionId);
    expect(end?.data['attempts']).toMatchObject([{ status: 'failed', ours: true }, { status: 'served' }]);
    expect(JSON.stringify(body)).not.toContain('ours');
  });

  it('says of no attempt that it served where the end is none', async () => {
    answers = { [first.toolId]: served };
    const { owner, pool } = execution.database;
    // The end of the call cannot be written while what ended it here cannot be read.
    untilAnswered = () => owner.query('ALTER TABLE execution_payloads RENAME TO away');
    const { executionId, status, body } = await run(planOf([first]));
    untilAnswered = () => Promise.resolve();
    await owner.query('ALTER TABLE away RENAME TO execution_payloads');
    expect([status, body['success']]).toEqual([500, false]);
    expect(body['routing']).toMatchObject({ chosen: null, attempts: [{ status: 'failed' }] });
    expect((await readStream(pool, executionId)).map(({ type }) => type)).toEqual(['ExecutionStarted']);
  });
});

describe('a query that capability routing refused', () => {
  it('is on record as one', async () => {
    const id = newExecutionId(systemClock.nowMs());
    const refused = {
      capabilityId: 'weather.none',
      httpStatus: 404,
      reasonCode: 'validation_error',
      // Each of these characters has two code units, and is one.
      message: '\u{1f69a}'.repeat(MAX_REFUSAL_MESSAGE_LENGTH),
      request: { capability_id: 'weather.none' },
    };
    expect((await execution.internal('capability-routing', '/internal/plans:refuse', refused, id)).status).toBe(200);
    const [event] = await readStream(execution.database.pool, id);
    expect(event).toMatchObject({
      type: 'ExecutionRefused',
      data: { eventType: 'capabilities_query', capabilityId: 'weather.none', httpStatusCode: 404 },
    });
  });

  it('gives way to the answer that its key has: the first request may have been served', async () => {
    answers = { [first.toolId]: served };
    const plan = planOf([first], { idempotencyKey: 'served-before' });
    const before = await run(plan);
    const { request } = plan;
    const refused = { httpStatus: 422, reasonCode: 'budget_exceeded', message: 'None fits.', request };
    const refuse = async (idempotencyKey: string, over: object = {}) => {
      const id = newExecutionId(systemClock.nowMs());
      const body = { ...refused, idempotencyKey, ...over };
      const reply = await execution.internal('capability-routing', '/internal/plans:refuse', body, id);
      return { ...reply, events: (await readStream(execution.database.pool, id)).length };
    };
    const again = await refuse('served-before');
    expect(again).toMatchObject({ status: 200, body: { bound: { httpStatus: 200, body: before.body } }, events: 0 });
    expect(again.body['bound']).toMatchObject({ headers: { 'idempotency-replayed': 'true' } });
    // A refusal takes no key.
    for (let time = 0; time < 2; time += 1) expect(await refuse('never-served')).toMatchObject({ body: {}, events: 1 });
    const other = await refuse('served-before', { request: { capability_id: 'another' } });
    expect(other.body).toMatchObject({ bound: { httpStatus: 422 } });
  });
});
