import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccountAssertion, PriceRule, ToolContract } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { newAccountId, newExecutionId, systemClock, type JsonObject } from '@capability-router/kernel';
import { startKeyedProvider, type KeyedProvider } from '../test-support/keyed-provider.js';
import { startExecution, type Answer, type RunningExecution } from '../test-support/running-execution.js';

const CALLERS = 20;
const cache = { ttlMs: 60_000 };
const price: PriceRule = {
  metering: { kind: 'call' },
  amountMicroCredits: '250000',
  unitLabel: 'call',
  cacheHitMicroCredits: '10000',
};
let provider: KeyedProvider;
let execution: RunningExecution;
let names = 0;

const open = { auth: { kind: 'none' as const } };
const caller = (): AccountAssertion => ({
  accountId: newAccountId(systemClock.nowMs()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: [],
});
const published = (tool: ToolContract) => execution.publish('ToolPublished', tool.toolId, { tool });

/** A new tool, that no other test has results of; known to execution when it is returned. */
async function newTool(over: Partial<ToolContract> = {}, providerId = 'open'): Promise<ToolContract> {
  const definition = providerId === 'mail' ? { credential: 'account' as const } : {};
  names += 1;
  const base = provider.tool(providerId, `t${names}`, providerId === 'open' ? open : {}, definition);
  const tool: ToolContract = { ...base, price, ...over };
  await published(tool);
  await until(() => isKnown(tool));
  return tool;
}
const cacheable = (over: Partial<ToolContract> = {}, providerId?: string): Promise<ToolContract> =>
  newTool({ cache, ...over }, providerId);
const isKnown = async (tool: ToolContract): Promise<boolean> =>
  JSON.stringify((await call(tool, { parameters: {} })).body['details']).includes('"missing"');

async function until(holds: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error('it did not come about');
    await delay(20);
  }
}

interface CallOptions {
  readonly parameters?: JsonObject;
  readonly account?: AccountAssertion;
  readonly cacheMode?: string;
}

async function call(tool: ToolContract, { parameters = { city: 'Bern' }, ...options }: CallOptions = {}) {
  const executionId = newExecutionId(systemClock.nowMs());
  const { status, body }: Answer = await execution.call(
    { tool_id: tool.toolId, parameters },
    { executionId, ...options },
  );
  const events = (await readStream(execution.database.pool, executionId)) as readonly { type: string; data: unknown }[];
  return { status, body, executionId, events, end: events.at(-1)?.data as JsonObject };
}

/** The cost of a call, and whether the event says that it came from the cache. */
const seen = ({ body, end }: Awaited<ReturnType<typeof call>>) => [
  body['success'],
  body['cost'],
  end['servedFromCache'] ?? false,
];
const asked = [true, 0.25, false];
const hit = [true, 0.01, true];
/** Answers of the cache so far, by their result. */
async function cacheAnswers(): Promise<(result: string) => number> {
  const { values } = (await execution.metrics.getSingleMetric('provider_cache_answers_total')?.get()) ?? { values: [] };
  return (result) => values.find(({ labels }) => labels['result'] === result)?.value ?? 0;
}
const jsonOf = (value: unknown): string => JSON.stringify(value);

beforeAll(async () => {
  provider = await startKeyedProvider();
  execution = await startExecution([]);
}, 60_000);
afterAll(async () => {
  await execution.stop();
  await provider.close();
});
beforeEach(() => {
  provider.requests.length = 0;
  provider.listener = (_request, response) => response.end(jsonOf({ degrees: 21 }));
  execution.billing.available = 1_000_000_000n;
  execution.billing.holds.length = 0;
});

describe('a tool that may be cached', () => {
  it('answers an equal call of anybody without its provider, for the price of a hit, each with its own hold and end', async () => {
    const tool = await cacheable();
    execution.billing.holds.length = 0;
    const before = await cacheAnswers();
    const first = await call(tool);
    const second = await call(tool, { account: caller() });
    expect([seen(first), seen(second)]).toEqual([asked, hit]);
    const after = await cacheAnswers();
    expect([after('miss') - before('miss'), after('hit') - before('hit')]).toEqual([1, 1]);
    expect(second.body['result']).toEqual(first.body['result']);
    expect(second.body).toMatchObject({ billing: { summary: 'Answered from the cache = 0.01 credits' } });
    expect(second.body['execution_outcome']).toEqual(first.body['execution_outcome']);
    expect(provider.requests).toHaveLength(1);
    expect(execution.billing.holds).toEqual(
      [first, second].map(({ executionId }) => expect.objectContaining({ executionId, amountMicroCredits: '250000' })),
    );
    expect(second.events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    expect(second.end).toMatchObject({
      bill: { listAmountMicroCredits: '10000', fromCache: true },
      resultHash: first.end['resultHash'],
    });
  });

  it('costs the normal price from the cache where it names no other', async () => {
    const { cacheHitMicroCredits: _none, ...normal } = price;
    const tool = await cacheable({ price: normal });
    expect([seen(await call(tool)), seen(await call(tool))]).toEqual([asked, [true, 0.25, true]]);
  });

  it('is asked again by whoever bypasses the cache, and by every call where it declares no time', async () => {
    const tool = await cacheable();
    await call(tool);
    expect(seen(await call(tool, { cacheMode: 'bypass' }))).toEqual(asked);
    const plain = await newTool();
    expect([seen(await call(plain)), seen(await call(plain))]).toEqual([asked, asked]);
    expect(provider.requests).toHaveLength(4);
  });

  it('does not keep what a bypassing call got', async () => {
    const tool = await cacheable();
    expect(seen(await call(tool, { cacheMode: 'bypass' }))).toEqual(asked);
    expect(seen(await call(tool))).toEqual(asked);
  });

  it('shapes and bills a kept result by what each caller asked for', async () => {
    const metering = { kind: 'result_rows', path: 'rows', limitParameter: 'none', maxUnits: 100 } as const;
    const { cacheHitMicroCredits: _none, ...perRow } = { ...price, metering, amountMicroCredits: '1000' };
    const tool = await cacheable({ price: perRow });
    provider.listener = (_request, response) =>
      response.end(jsonOf({ rows: Array(30).fill({ name: 'x'.repeat(100) }) }));
    await call(tool);
    const { body } = await execution.call({
      tool_id: tool.toolId,
      parameters: { city: 'Bern' },
      respond_with: 'fields:$.rows[0].name',
    });
    expect(body).toMatchObject({ success: true, cost: 0.03, result: { data: { name: 'x'.repeat(100) } } });
    expect(provider.requests).toHaveLength(1);
  });

  it.each<[string, string, Partial<ToolContract>, number]>([
    ['empty', '[]', {}, 200],
    ['partial', '{"more":true}', { resultPredicates: { partialWhen: '$.more' } }, 200],
    ['an error', '{"message":"no"}', {}, 500],
  ])('asks its provider again after a result that is %s', async (_what, answer, over, status) => {
    const tool = await cacheable(over);
    provider.listener = (_request, response) => response.writeHead(status).end(answer);
    await call(tool, { cacheMode: 'bypass' });
    const { length } = provider.requests;
    await call(tool);
    await call(tool);
    expect(provider.requests.length).toBe(3 * length);
  });
});

describe('equal calls at the same time', () => {
  it('ask the provider once, and each has its own hold, end and bill', async () => {
    const tool = await cacheable();
    execution.billing.holds.length = 0;
    provider.listener = (_request, response) => void delay(300).then(() => response.end(jsonOf({ degrees: 21 })));
    const calls = await Promise.all(Array.from({ length: CALLERS }, () => call(tool, { account: caller() })));
    expect(provider.requests).toHaveLength(1);
    expect(calls.map(seen).sort((a, b) => Number(b[1]) - Number(a[1]))).toEqual([
      asked,
      ...Array(CALLERS - 1).fill(hit),
    ]);
    const held = execution.billing.holds.map((hold) => ('executionId' in hold ? hold.executionId : ''));
    expect([...held].sort()).toEqual(calls.map(({ executionId }) => executionId).sort());
    for (const { events } of calls) {
      expect(events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    }
  });

  it('do not share a failure: whoever waited asks for themselves', async () => {
    const tool = await cacheable({
      binding: { ...(await cacheable()).binding, method: 'POST' } as ToolContract['binding'],
    });
    let count = 0;
    provider.listener = (_request, response) => {
      count += 1;
      if (count > 1) response.end(jsonOf({ degrees: 21 }));
      else void delay(300).then(() => response.writeHead(422).end('{"message":"no"}'));
    };
    const calls = await Promise.all(Array.from({ length: 5 }, () => call(tool)));
    expect(calls.map(seen).filter(([success]) => success === false)).toEqual([[false, 0, false]]);
    expect(calls.map(seen).filter(([success]) => success === true)).toEqual(Array(4).fill(asked));
    expect(count).toBe(5);
  });
});

describe('a kept result', () => {
  it('is not given to a caller of the next version, and not after the tool was retired', async () => {
    const tool = await cacheable();
    await call(tool);
    const next: ToolContract = { ...tool, version: 2, schemaHash: 'b'.repeat(64), oneOfRequired: [['city']] };
    await published(next);
    await until(async () => (await call(tool)).end['toolVersion'] === 2);
    const before = provider.requests.length;
    expect(before).toBe(2);
    expect(seen(await call(tool))).toEqual(hit);
    await execution.publish('ToolRetired', tool.toolId, { toolId: tool.toolId, version: 3 });
    await until(async () => (await call(tool)).body['success'] === false);
    const { body } = await call(tool);
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'tool_unavailable' } });
    expect(provider.requests).toHaveLength(before);
  });

  it('that was got with credentials of an account is nobody else’s, and gone when they change or are deleted', async () => {
    const tool = await cacheable({}, 'mail');
    const [mine, theirs] = [caller(), caller()];
    const path = '/api/v1/auth/provider-credentials/mail';
    const setToken = (account: AccountAssertion, token: string) =>
      execution.send('PUT', path, { fields: { token } }, account);
    provider.listener = (request, response) => response.end(jsonOf({ for: request.headers.authorization?.length }));
    for (const account of [mine, theirs]) expect((await setToken(account, 'one-token')).status).toBeLessThan(300);
    expect(seen(await call(tool, { account: mine }))).toEqual(asked);
    expect(seen(await call(tool, { account: mine }))).toEqual(hit);
    expect(seen(await call(tool, { account: theirs }))).toEqual(asked);
    await setToken(mine, 'another-token');
    const renewed = await call(tool, { account: mine });
    expect(seen(renewed)).toEqual(asked);
    expect(renewed.body['result']).toEqual({ data: { for: 'Bearer another-token'.length } });
    await execution.send('DELETE', path, undefined, mine);
    const { body } = await call(tool, { account: mine });
    expect(body).toMatchObject({ success: false, execution_outcome: { reason_code: 'oauth_signin_required' } });
    expect(seen(await call(tool, { account: theirs }))).toEqual(hit);
    expect(provider.requests).toHaveLength(3);
  });
});
