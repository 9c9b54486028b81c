import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashPriceRule, type RunPlanRequest, type ToolContract } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import {
  newExecutionId,
  systemClock,
  usageEventIdOf,
  type JsonObject,
  type JsonValue,
} from '@capability-router/kernel';
import type { ProviderAnswer } from '@capability-router/provider-kit';
import { startExecution, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

const tool = (name: string, amountMicroCredits: string, over: Partial<ToolContract> = {}): ToolContract =>
  toolContract({
    toolId: `demo.weather.${name}.v1`,
    price: { metering: { kind: 'call' }, amountMicroCredits, unitLabel: 'call' },
    ...over,
  });
const cheap = tool('cheap', '100000');
const dear = tool('dear', '300000');
const gratis = tool('gratis', '0');
const local = tool('local', '100000', { region: 'US' });
const ruled = tool('ruled', '100000', { resultPredicates: { emptyWhen: '$.nothing' } });
const tools = [cheap, dear, gratis, local, ruled];

const failed: ProviderAnswer = { kind: 'failed', fault: 'http_error', message: '', statusCode: 500, retryable: true };
const answered = (data: JsonValue): ProviderAnswer => ({ kind: 'answered', data });

let answers: Readonly<Record<string, ProviderAnswer>> = {};
let asked: string[] = [];
let execution: RunningExecution;
beforeAll(async () => {
  execution = await startExecution(tools, {
    call: ({ toolId }) => {
      asked.push(toolId);
      return Promise.resolve(answers[toolId] ?? failed);
    },
    close: () => Promise.resolve(),
  });
});
afterAll(() => execution.stop());
beforeEach(() => {
  asked = [];
  execution.billing.available = 10_000_000n;
  execution.billing.delayMs = 0;
  execution.billing.holds.length = 0;
});

const attemptOf = ({ toolId, version, price }: ToolContract) => ({
  toolId,
  toolVersion: version,
  priceRuleHash: hashPriceRule(price),
  parameters: { city: 'Bern' },
  result: { degrees: { from: '$.now.t' } },
});

const planOf = (attempts: RunPlanRequest['attempts'], over: Partial<RunPlanRequest> = {}): RunPlanRequest => ({
  capability: { capabilityId: 'weather.now', contractVersion: 2, schemaHash: 'b'.repeat(64) },
  attempts,
  fields: { degrees: { type: 'number', required: true } },
  deadlineMs: 30_000,
  repeatable: true,
  request: { capability_id: 'weather.now', parameters: { place: 'Bern' } },
  answer: { parameters: { place: 'Bern' }, routing: { candidates: [], excluded: [] } },
  ...over,
});

async function run(plan: object) {
  const executionId = newExecutionId(systemClock.nowMs());
  const reply = await execution.internal('capability-routing', '/internal/plans', plan, executionId);
  const events = await readStream(execution.database.pool, executionId);
  return { executionId, ...reply, end: events.at(-1), types: events.map(({ type }) => type) };
}
const attemptsOf = (body: JsonObject) => (body['routing'] as JsonObject)['attempts'] as JsonObject[];

describe('a plan that capability routing made', () => {
  it('answers with the mapped result of the attempt that served, and says what became of each', async () => {
    answers = { [dear.toolId]: failed, [cheap.toolId]: answered({ now: { t: 21 } }) };
    const { executionId, status, body, end, types } = await run(planOf([attemptOf(dear), attemptOf(cheap)]));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      execution_id: executionId,
      capability_id: 'weather.now',
      contract_version: 2,
      schema_hash: 'b'.repeat(64),
      success: true,
      result: { status_code: 200, data: { degrees: 21 } },
      cost: 0.1,
      credits_used: 0.1,
      remaining_credits: 9.9,
      parameters: { place: 'Bern' },
      routing: { candidates: [], excluded: [], chosen: cheap.toolId },
    });
    expect(attemptsOf(body)).toMatchObject([
      { tool_id: dear.toolId, status: 'failed', reason: 'provider.http_error' },
      { tool_id: cheap.toolId, status: 'served', reason: 'result.valid' },
    ]);
    expect(types).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    expect(end?.data).toMatchObject({
      eventType: 'capabilities_query',
      capabilityId: 'weather.now',
      contractVersion: 2,
      toolId: cheap.toolId,
      holdMicroCredits: '300000',
      attempts: [
        { toolId: dear.toolId, providerId: 'demo', status: 'failed', reason: 'provider.http_error' },
        { toolId: cheap.toolId, status: 'served', reason: 'result.valid' },
      ],
    });
  });

  it.each<[string, JsonValue]>([
    ['has another shape than the contract', { now: { t: 'warm' } }],
    ['lacks what the contract requires', { later: 1 }],
    ['is empty', []],
  ])('is served by the next attempt where a result %s, which is not charged', async (_what, data) => {
    answers = { [dear.toolId]: answered(data), [cheap.toolId]: answered({ now: { t: 21 } }) };
    const { body } = await run(planOf([attemptOf(dear), attemptOf(cheap)]));
    expect([body['success'], body['cost'], asked.length]).toEqual([true, 0.1, 2]);
  });

  it('is served by a result with null in the place of a field that may be null', async () => {
    answers = { [cheap.toolId]: answered({ now: { t: null, rain: true } }) };
    const mapped = { degrees: { from: '$.now.t' }, rain: { from: '$.now.rain' } };
    const planned = [{ ...attemptOf(cheap), result: mapped }];
    const fields = { degrees: { type: ['number', 'null'], required: true } } as const;
    const { body } = await run(planOf(planned, { fields }));
    expect(body).toMatchObject({ success: true, cost: 0.1, result: { data: { degrees: null, rain: true } } });
    expect((await run(planOf(planned))).body).toMatchObject({ success: false, cost: 0 });
  });

  it.each<[string, ToolContract, JsonValue]>([
    ['that has nothing of the contract', cheap, { now: { rain: 'paid for' } }],
    ['whose rows are none, once they are mapped', cheap, { now: { rain: 'paid for', rows: [] } }],
    ['that the tool itself calls empty', ruled, { nothing: true, now: { t: 21, rain: 'paid for' } }],
  ])('shows and charges nothing of a result %s', async (_what, one, data) => {
    answers = { [one.toolId]: answered(data) };
    const mapped = { degrees: { from: '$.now.t' }, rows: { from: '$.now.rows' } };
    const fields = { degrees: { type: 'number', required: false }, rows: { type: 'array', required: false } } as const;
    const { executionId, status, body } = await run(planOf([{ ...attemptOf(one), result: mapped }], { fields }));
    expect([status, body['success'], body['cost']]).toEqual([200, false, 0]);
    expect(body).toMatchObject({ execution_outcome: { reason_code: 'result.empty' } });
    expect(body['result']).toEqual({ status_code: 502, data: {} });
    const kept = 'SELECT response_summary FROM execution_payloads WHERE usage_event_id = $1';
    const { rows } = await execution.database.pool.query(kept, [usageEventIdOf(executionId)]);
    expect(JSON.stringify(rows)).not.toContain('paid for');
    expect(rows).toHaveLength(1);
  });

  it('skips an attempt whose tool has another version or price here, or is not for the region of the account', async () => {
    answers = { [cheap.toolId]: answered({ now: { t: 21 } }) };
    const { body } = await run(
      planOf([
        { ...attemptOf(dear), toolVersion: 2 },
        { ...attemptOf(dear), priceRuleHash: 'c'.repeat(64) },
        attemptOf(local),
        { ...attemptOf(dear), parameters: {} },
        attemptOf(cheap),
      ]),
    );
    expect(asked).toEqual([cheap.toolId]);
    expect(attemptsOf(body).map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'contract_changed'],
      ['skipped', 'contract_changed'],
      ['skipped', 'region'],
      ['skipped', 'invalid_parameters'],
      ['served', 'result.valid'],
    ]);
    expect(attemptsOf(body)[0]).toMatchObject({ message: expect.stringMatching(/another version or price.*again/) });
  });

  it('runs and holds only what the query may cost, and is a 422 that calls nothing where that is none', async () => {
    answers = { [dear.toolId]: answered({ now: { t: 1 } }), [cheap.toolId]: answered({ now: { t: 21 } }) };
    const attempts = [attemptOf(dear), attemptOf(cheap)];
    const within = await run(planOf(attempts, { maxMicroCredits: '200000' }));
    expect([within.body['cost'], execution.billing.holds[0]?.amountMicroCredits]).toEqual([0.1, '100000']);
    expect(attemptsOf(within.body)[0]).toMatchObject({ status: 'skipped', reason: 'over_budget' });
    asked = [];
    const above = await run(planOf(attempts, { maxMicroCredits: '99999' }));
    expect([above.status, above.body['code'], above.types]).toEqual([422, 'budget_exceeded', ['ExecutionRefused']]);
    expect(above.body).toMatchObject({ details: [{ loc: ['body', 'max_credits'], needed_credits: 0.1 }] });
    expect([asked, execution.billing.holds.length]).toEqual([[], 1]);
    expect(above.end?.data).toMatchObject({ eventType: 'capabilities_query', capabilityId: 'weather.now' });
  });

  it('shows nothing of the parameters that were made for a tool where its adapter would not send them', async () => {
    answers = {
      [cheap.toolId]: { kind: 'failed', fault: 'invalid_parameters', message: 'Too long.', retryable: false },
    };
    const { status, body } = await run(planOf([attemptOf(cheap)]));
    expect([status, asked]).toEqual([422, [cheap.toolId]]);
    expect(body['details']).toEqual([
      { type: 'value_error', loc: ['body', 'parameters'], msg: 'Too long.', input: null },
    ]);
  });

  it('is a 402 where the account can pay for none', async () => {
    execution.billing.available = 1n;
    const { status, body } = await run(planOf([attemptOf(dear), attemptOf(cheap)]));
    expect([status, body['code'], asked]).toEqual([402, 'insufficient_credits', []]);
    expect(attemptsOf(body).map(({ reason }) => reason)).toEqual(['insufficient_credits', 'insufficient_credits']);
  });

  it('is a 408 that sends nothing where no attempt has the time that it needs', async () => {
    const late = { ...attemptOf(cheap), expectedMs: 30_000 };
    const { status, body, types } = await run(planOf([late], { deadlineMs: 10_000 }));
    expect([status, asked, types.at(-1)]).toEqual([408, [], 'ExecutionRefused']);
    expect(attemptsOf(body)).toMatchObject([{ status: 'skipped', reason: 'no_time' }]);
  });

  it('is a 408 that sends nothing where its only attempt comes after the deadline, however long that usually takes', async () => {
    const { status, body } = await run(planOf([attemptOf(gratis)], { deadlineMs: 1 }));
    expect([status, asked]).toEqual([408, []]);
    expect(attemptsOf(body)).toMatchObject([{ status: 'skipped', reason: 'no_time' }]);
  });

  it('is a 408 that holds nothing where the start alone took all its time', async () => {
    const plan = planOf([attemptOf(dear), attemptOf(cheap)], { deadlineMs: 1, idempotencyKey: 'no-time' });
    const { status, body } = await run(plan);
    expect([status, execution.billing.holds, asked]).toEqual([408, [], []]);
    expect(attemptsOf(body).map(({ reason }) => reason)).toEqual(['no_time', 'no_time']);
  });

  it('asks for its hold again only within its own time', async () => {
    execution.billing.available = 200_000n;
    execution.billing.delayMs = 1_500;
    // A second question that had the whole deadline would be answered after it.
    const { status, body } = await run(planOf([attemptOf(dear), attemptOf(cheap)], { deadlineMs: 2_000 }));
    expect([status, body['code'], asked]).toEqual([503, 'not_dispatched', []]);
  });

  it('is answered 200 without success where all attempts fail', async () => {
    answers = {};
    const { status, body, end } = await run(planOf([attemptOf(dear), attemptOf(cheap)]));
    expect([status, body['success'], body['cost']]).toEqual([200, false, 0]);
    expect(body).toMatchObject({ result: { status_code: 500, data: {} }, routing: { chosen: null } });
    expect(end?.type).toBe('ExecutionCompleted');
  });

  it('runs once under its key: the first answer comes again, and the key is not that of a Call', async () => {
    answers = { [cheap.toolId]: answered({ now: { t: 21 } }) };
    const plan = planOf([attemptOf(cheap)], { idempotencyKey: 'one-query' });
    const first = await run(plan);
    // Routing may have decided otherwise by now.
    const again = await run({ ...plan, attempts: [attemptOf(dear)] });
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect([asked, again.types]).toEqual([[cheap.toolId], []]);
    const call = { tool_id: cheap.toolId, parameters: { city: 'Bern' } };
    expect((await execution.call(call, { idempotencyKey: 'one-query' })).status).toBe(200);
    const other = await run({ ...plan, request: { capability_id: 'weather.now', parameters: { place: 'Basel' } } });
    expect(other.status).toBe(422);
  });

  it.each<[string, object]>([
    ['has no attempt', { attempts: [] }],
    ['has more than ten', { attempts: Array.from({ length: 11 }, () => attemptOf(cheap)) }],
    ['says something unknown', { hedge: true }],
    ['has a deadline above the longest', { deadlineMs: 100_001 }],
    [
      'has a mapping with a path to many places',
      { attempts: [{ ...attemptOf(cheap), result: { a: { from: '$..a' } } }] },
    ],
    [
      'has a mapping with an expression that is too long',
      { attempts: [{ ...attemptOf(cheap), result: { a: { jsonata: 'a'.repeat(1_001) } } }] },
    ],
    ['has a field without a type', { fields: { degrees: { required: true } } }],
    ['has a field of a type that there is not', { fields: { degrees: { type: ['number', 'nil'], required: true } } }],
    ['may cost nothing', { maxMicroCredits: '0' }],
  ])('is refused where it %s', async (_what, over) => {
    const { status, types } = await run({ ...planOf([attemptOf(cheap)]), ...over });
    expect([status, types]).toEqual([422, []]);
  });

  it('is taken from capability routing alone', async () => {
    const plan = planOf([attemptOf(cheap)]);
    const id = newExecutionId(systemClock.nowMs());
    expect((await execution.internal('registry', '/internal/plans', plan, id)).status).toBe(403);
  });
});
