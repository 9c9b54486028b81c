import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { hashPriceRule, type RunPlanRequest, type ToolContract } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import { startKeyedProvider, type KeyedProvider } from '../test-support/keyed-provider.js';
import { charged } from '../test-support/planned-attempts.js';
import { until } from '../test-support/replicated-execution.js';
import { startExecution, type RunningExecution } from '../test-support/running-execution.js';

/** Milliseconds that the first provider is said to need at most; every case makes it take longer. */
const EXPECTED_MS = 100;
/** Milliseconds after which an attempt ends by itself, which no case waits for. */
const DEADLINE_MS = 100_000;

let first: KeyedProvider;
let second: KeyedProvider;
let execution: RunningExecution;
let [dear, cheap, gratis]: ToolContract[] = [];

const priced = (provider: KeyedProvider, providerId: string, amountMicroCredits: string): ToolContract => ({
  ...provider.tool(providerId, 'forecast', { auth: { kind: 'none' } }),
  parametersSchema: { type: 'object' },
  timeoutMs: DEADLINE_MS,
  price: { metering: { kind: 'call' }, amountMicroCredits, unitLabel: 'call' },
});

beforeAll(async () => {
  [first, second] = await Promise.all([startKeyedProvider(), startKeyedProvider()]);
  [dear, cheap, gratis] = [
    priced(first, 'dear', '300000'),
    priced(second, 'cheap', '100000'),
    priced(second, 'gratis', '0'),
  ];
  execution = await startExecution([dear, cheap, gratis], undefined, {}, undefined, { hedgePercent: 100 });
}, 60_000);
afterAll(async () => {
  await execution.stop();
  await Promise.all([first.close(), second.close()]);
}, 60_000);
beforeEach(() => {
  for (const provider of [first, second]) {
    provider.requests.length = 0;
    provider.listener = (_request, response) => answer(response);
  }
  execution.billing.available = 10_000_000n;
  execution.billing.holds.length = 0;
  execution.billing.released.length = 0;
});

const answer = (response: ServerResponse): unknown =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"degrees":21}');
const fail = (response: ServerResponse): unknown => response.writeHead(404).end();

const attemptOf = (tool: ToolContract | undefined, expectedMs?: number) => {
  if (tool === undefined) throw new Error('the tools are there once the suite has begun');
  const { toolId, version, price } = tool;
  const usual = expectedMs === undefined ? {} : { expectedMs };
  return { toolId, toolVersion: version, priceRuleHash: hashPriceRule(price), parameters: {}, ...usual };
};

async function run(over: Partial<RunPlanRequest> = {}, attempts = [attemptOf(dear, EXPECTED_MS), attemptOf(cheap)]) {
  const executionId = newExecutionId(systemClock.nowMs());
  const plan: RunPlanRequest = {
    capability: { capabilityId: 'weather.now' },
    attempts,
    fields: { degrees: { type: 'number', required: true } },
    deadlineMs: DEADLINE_MS,
    repeatable: true,
    readOnly: true,
    request: { capability_id: 'weather.now' },
    ...over,
  };
  const { body } = await execution.internal('capability-routing', '/internal/plans', plan, executionId);
  const events = await readStream(execution.database.pool, executionId);
  const [start, end] = [events[0], events.at(-1)].map((event) => event?.data as JsonObject);
  if (start === undefined || end === undefined) throw new Error('a plan that ran has a start and an end');
  return { executionId, body, start, end, types: events.map(({ type }) => type) };
}

const attemptsOf = (body: JsonObject) => (body['routing'] as JsonObject)['attempts'] as JsonObject[];
const held = () => execution.billing.holds.map(({ amountMicroCredits }) => amountMicroCredits);
const asked = () => [first.requests.length, second.requests.length];

async function hedges(result: string): Promise<number> {
  const text = await execution.metrics.metrics();
  return Number(new RegExp(`^plan_hedges_total\\{[^}]*result="${result}"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

/** `goneAfterMs`: for how long its caller waited, who closed the connection without an answer. */
interface HeldBack {
  response?: ServerResponse;
  goneAfterMs?: number;
}

/** The provider answers when it is let to. */
function holdBack(provider: KeyedProvider): HeldBack {
  const state: HeldBack = {};
  provider.listener = (_request, response) => {
    const askedMs = performance.now();
    state.response = response;
    response.on('close', () => {
      if (!response.writableEnded) state.goneAfterMs = performance.now() - askedMs;
    });
  };
  return state;
}

async function isGivenUp(held: HeldBack): Promise<void> {
  await until(() => held.goneAfterMs !== undefined);
  expect(held.goneAfterMs).toBeLessThan(DEADLINE_MS / 2);
}

describe('a plan whose first provider is slower than it is known to be', () => {
  it('is served by the second, which alone is charged: one hold of both bounds, one end, and the first is given up', async () => {
    const slow = holdBack(first);
    const won = await hedges('won');
    const { executionId, body, start, end, types } = await run();
    expect(body).toMatchObject({ success: true, cost: 0.1, remaining_credits: 9.9, result: { data: { degrees: 21 } } });
    expect(attemptsOf(body)).toMatchObject([
      { tool_id: dear?.toolId, status: 'abandoned', reason: 'not_needed' },
      { tool_id: cheap?.toolId, status: 'served', hedge: true },
    ]);
    expect([types, held()]).toEqual([['ExecutionStarted', 'ExecutionCompleted'], ['400000']]);
    expect([start['holdMicroCredits'], end['holdMicroCredits'], charged(end)]).toEqual(['400000', '400000', '100000']);
    expect(end['attempts']).toMatchObject([
      { providerId: 'dear', status: 'abandoned', forgoneMicroCredits: '300000' },
      { providerId: 'cheap', status: 'served', reason: 'result.valid', hedge: true },
    ]);
    expect(await hedges('won')).toBe(won + 1);
    await isGivenUp(slow);
    // Whatever it still says is heard by nobody.
    slow.response?.end('{"degrees":99}');
    expect(await readStream(execution.database.pool, executionId)).toHaveLength(2);
  });

  it('is served by the first where that answers after all, and the second is given up', async () => {
    const [slow, slower] = [holdBack(first), holdBack(second)];
    const hedge = second.listener;
    second.listener = (request, response) => {
      hedge(request, response);
      if (slow.response !== undefined) answer(slow.response);
    };
    const lost = await hedges('lost');
    const { body, end } = await run();
    expect([asked(), charged(end), body['cost']]).toEqual([[1, 1], '300000', 0.3]);
    expect(attemptsOf(body)).toMatchObject([
      { status: 'served' },
      { status: 'abandoned', reason: 'not_needed', hedge: true },
    ]);
    expect(await hedges('lost')).toBe(lost + 1);
    await isGivenUp(slower);
  });

  it('goes on with the other where the faster one fails, and with the third where both do', async () => {
    const slow = holdBack(first);
    const failAnd = (then: (waiting: ServerResponse) => unknown): void => {
      second.listener = (_request, response) => {
        fail(response);
        if (slow.response?.writableEnded === false) then(slow.response);
      };
    };
    failAnd(answer);
    const { body, end } = await run();
    expect([attemptsOf(body).map(({ status }) => status), charged(end)]).toEqual([['served', 'failed'], '300000']);

    failAnd(fail);
    const failed = await hedges('failed');
    const both = await run({}, [attemptOf(dear, EXPECTED_MS), attemptOf(cheap), attemptOf(gratis)]);
    expect(attemptsOf(both.body).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect([charged(both.end), both.types.at(-1)]).toEqual(['0', 'ExecutionCompleted']);
    expect(await hedges('failed')).toBe(failed + 1);
    await until(() => execution.billing.released.includes(both.executionId));
  });

  it('tells the same again to who repeats it, and asks nobody', async () => {
    holdBack(first);
    const keyed = { idempotencyKey: newExecutionId(systemClock.nowMs()) };
    const once = await run(keyed);
    const { body } = await execution.internal(
      'capability-routing',
      '/internal/plans',
      {
        ...keyed,
        capability: { capabilityId: 'weather.now' },
        attempts: [attemptOf(cheap)],
        fields: {},
        deadlineMs: 30_000,
        repeatable: true,
        request: { capability_id: 'weather.now' },
      },
      newExecutionId(systemClock.nowMs()),
    );
    expect([body, asked()]).toEqual([once.body, [1, 1]]);
  });

  it.each<[string, Partial<RunPlanRequest>, bigint, string]>([
    ['may do more than read', { readOnly: false }, 10_000_000n, '300000'],
    ['may not cost what both may', { maxMicroCredits: '399999' }, 10_000_000n, '300000'],
    ['is of an account that cannot pay for both', {}, 399_999n, '300000'],
  ])('waits for it where it %s, and holds for one', async (_why, over, available, bound) => {
    execution.billing.available = available;
    first.listener = (_request, response) => setTimeout(() => answer(response), 4 * EXPECTED_MS);
    const { body, end } = await run(over);
    expect([asked(), held().at(-1), charged(end)]).toEqual([[1, 0], bound, '300000']);
    expect(attemptsOf(body)).toMatchObject([{ status: 'served' }, { status: 'skipped', reason: 'not_needed' }]);
  });
});
