import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, settledUsageOf } from './support/audit.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { call, send, type Reply } from './support/http.js';
import { asArray, asObject, type JsonObject } from './support/json.js';
import { listen } from './support/listen.js';

/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;
/** Queries in a row that reach every replica. */
const EVERYWHERE = 6;

/** Letters only, so that nothing else has it. */
const word = `zf${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;
/** The first is the cheaper one, so that it is tried first. */
const providers = [`${word}a`, `${word}b`, `${word}c`] as const;
const [first, second, third] = providers.map((provider) => `${provider}.thing.count.v1`) as [string, string, string];
const prices = { [first]: 0.1, [second]: 0.5, [third]: 0.9 };
/** This capability has three providers; the others have the first two. */
const OF_THREE = `${word}.of_three`;
/** Queries after it is known everywhere that one provider fails, and how many at once. */
const AFTERWARDS = 100;
const AT_ONCE = 5;
/** The share of them that may meet the failing provider: a twentieth looks whether it is back. */
const MAX_EXTRA_SHARE = 0.2;

type Answer = readonly [status: number, body: object];
const parts = [{ size: 1 }, { size: 2 }];
const fine: Answer = [200, { size: 3, parts }];
const broken: Answer = [500, { error: 'broken' }];
/** Ends for a thing of a usual size alone. */
const ENDLESS = 'size > 100 ? ($again := function() { $again() }; $again()) : size';
let answers: Readonly<Record<string, Answer>> = {};
let asked: string[] = [];
let askedFor = '';
/** The provider answers when it has ended. */
let held = Promise.resolve();
let server: Server;

async function put(path: string, body: object): Promise<void> {
  const reply = await send('PUT', `/admin/v1${path}`, { key: adminKey, body });
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
}

const parametersSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: { type: 'string', maxLength: 50, description: 'Of the thing.' } },
};

const capabilityOf = (effect: string): JsonObject => ({
  name: { en: `${word} ${effect}` },
  description: { en: `Counts things of ${word}.` },
  parameters_schema: parametersSchema,
  result_schema: {
    type: 'object',
    required: ['count'],
    properties: { count: { type: 'integer', description: 'How many there are.' } },
  },
  effect,
  sample_parameters: { id: 'a' },
  candidates: [
    { tool_id: first, result: { count: { jsonata: ENDLESS } }, sample_result: { size: 3 } },
    {
      tool_id: second,
      parameters: { id: { jsonata: "'thing ' & id" } },
      result: { count: { jsonata: '$sum(parts.size)' } },
      sample_result: { parts },
    },
  ],
});
const idOf = (effect: string): string => `${word}.${effect}`;

async function ask(account: TestAccount, effect = 'read_only'): Promise<Reply> {
  asked = [];
  const body = { capability_id: idOf(effect), parameters: { id: 'a' }, prefer: 'price' };
  return call('POST', '/capabilities/query', { key: account.key, body });
}
const routingOf = (reply: Reply): JsonObject => asObject(reply.json['routing'], 'routing');
const attemptsOf = (reply: Reply) =>
  asArray(routingOf(reply)['attempts']).map((attempt) => {
    const { tool_id: tool, status, reason } = asObject(attempt);
    return [tool, status, reason];
  });

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, provider = ''] = (request.url ?? '').split('/');
    asked.push(provider);
    const [status, body] = answers[provider] ?? fine;
    void text(request).then(async (sent) => {
      askedFor = sent;
      await held;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await listen(server);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [index, provider] of providers.entries()) {
    const toolId = [first, second, third][index] ?? '';
    await put(`/providers/${provider}`, {
      provider_id: provider,
      name: { en: provider },
      description: { en: 'Things.' },
      egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
      tools: [
        {
          tool_id: toolId,
          name: { en: 'count' },
          description: { en: 'A tool of the acceptance suite.' },
          parameters_schema: parametersSchema,
          examples: [{ parameters: { id: 'a' } }],
          price: { amount_credits: String(prices[toolId]) },
          binding: { kind: 'http', method: 'POST', url: `${origin}/${provider}` },
        },
      ],
    });
  }
  for (const effect of ['read_only', 'unsafe']) await put(`/capabilities/${idOf(effect)}`, capabilityOf(effect));
  const ofTwo = capabilityOf('read_only');
  const plain = { tool_id: third, result: { count: { from: '$.size' } } };
  await put(`/capabilities/${OF_THREE}`, { ...ofTwo, candidates: [...asArray(ofTwo['candidates']), plain] });
  const account = await newAccount();
  await eventually(async () => {
    for (let turn = 0; turn < EVERYWHERE; turn += 1) {
      const reply = await ask(account);
      expect([reply.json['success'], attemptsOf(reply)[0]?.[0]]).toEqual([true, first]);
    }
  });
}, TIMEOUT_MS);
afterAll(async () => {
  for (const effect of ['read_only', 'unsafe']) {
    await send('POST', `/admin/v1/capabilities/${idOf(effect)}:retire`, { key: adminKey });
  }
  await send('POST', `/admin/v1/capabilities/${OF_THREE}:retire`, { key: adminKey });
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

it('is published with no mapping that never ends with its example', async () => {
  const body = capabilityOf('read_only');
  const [one, ...others] = asArray(body['candidates']).map((candidate) => asObject(candidate));
  const candidates = [{ ...one, sample_result: { size: 500 } }, ...others];
  const reply = await send('PUT', `/admin/v1/capabilities/${idOf('read_only')}`, {
    key: adminKey,
    body: { ...body, candidates },
  });
  expect([reply.status, reply.json['details'] ?? reply.json['detail']]).toMatchObject([
    422,
    [{ loc: ['body', 'candidates', 0, 'result', 'count'], msg: expect.stringMatching(/does not end|too busy/) }],
  ]);
});

it('is 409 under an idempotency key while the first query with it runs, and its answer afterwards', async () => {
  let release = (): void => undefined;
  held = new Promise((resolve) => {
    release = resolve;
  });
  const account = await newAccount(1);
  const body = { capability_id: idOf('unsafe'), parameters: { id: 'a' } };
  const headers = { 'idempotency-key': randomUUID() };
  const query = (): Promise<Reply> => call('POST', '/capabilities/query', { key: account.key, body, headers });
  asked = [];
  const running = query();
  await eventually(() => Promise.resolve(expect(asked).toHaveLength(1)));
  const meanwhile = await query();
  release();
  held = Promise.resolve();
  expect(meanwhile.json).toMatchObject({ code: 'idempotency_key_in_use', retryable: true });
  expect([meanwhile.status, meanwhile.headers.has('retry-after')]).toEqual([409, true]);
  const ran = await running;
  const again = await query();
  expect([ran.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true']);
  expect([again.json['execution_id'], asked.length]).toEqual([ran.json['execution_id'], 1]);
});

describe('a query whose first tool does not serve', () => {
  it.each<[string, Answer, RegExp]>([
    ['answers an error', broken, /^provider\.http_error$/],
    ['answers another shape than the contract', [200, { size: 'three' }], /^provider\.error$/],
    // A busy machine may not have given the mapping the processor for as long as its limit: that is said, and no fault of the tool.
    [
      'answers what its mapping never ends with',
      [200, { size: 500 }],
      /^(provider\.error|transport\.execution_failed)$/,
    ],
  ])('is served by the next one, and charged for that alone, where it %s', async (_what, answer, reason) => {
    answers = { [providers[0]]: answer };
    const account = await newAccount(1);
    const reply = await ask(account);
    expect(reply.json).toMatchObject({
      success: true,
      result: { data: { count: 3 } },
      cost: 0.5,
      remaining_credits: 0.5,
    });
    expect(attemptsOf(reply)).toEqual([
      [first, 'failed', expect.stringMatching(reason)],
      [second, 'served', 'result.valid'],
    ]);
    expect(routingOf(reply)['chosen']).toBe(second);
    expect(asked).toEqual(expect.arrayContaining(providers.slice(0, 2)));
    expect(JSON.parse(askedFor)).toEqual({ id: 'thing a' });
    const row = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(row).toMatchObject({ event_type: 'capabilities_query', tool_id: second, settled_amount_credits: 0.5 });
    expect((await listCharges(account.key)).map((entry) => entry['amount_credits'])).toEqual([-0.5]);
  });

  it('is tried no further where that could do something twice', async () => {
    answers = { [providers[0]]: broken };
    const account = await newAccount(1);
    const reply = await ask(account, 'unsafe');
    expect(attemptsOf(reply)).toEqual([
      [first, 'failed', 'provider.http_error'],
      [second, 'skipped', 'not_repeatable'],
    ]);
    expect([reply.json['success'], reply.json['cost'], asked]).toEqual([false, 0, [providers[0]]]);
  });

  it('costs nothing where none serves', async () => {
    answers = { [providers[0]]: broken, [providers[1]]: broken };
    const account = await newAccount(1);
    const reply = await ask(account);
    expect([reply.status, reply.json['success'], reply.json['cost']]).toEqual([200, false, 0]);
    expect(routingOf(reply)['chosen']).toBeNull();
    const row = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(row['charge_outcome']).toBe('failed_not_charged');
    expect(await listCharges(account.key)).toEqual([]);
  });

  it('goes past it at once, on every replica, when it has failed five times in a row', async () => {
    answers = { [providers[0]]: broken };
    const account = await newAccount();
    await eventually(async () => {
      for (let turn = 0; turn < EVERYWHERE; turn += 1) {
        const reply = await ask(account);
        expect(reply.json['success']).toBe(true);
        expect([asArray(routingOf(reply)['excluded']), asked]).toEqual([
          [{ tool_id: first, reason: 'breaker_open', explanation: expect.any(String) }],
          [providers[1]],
        ]);
      }
    });
  });

  it('is all that one of three costs that fails for ever: every query is served, and few meet it', async () => {
    const account = await newAccount();
    const body = { capability_id: OF_THREE, parameters: { id: 'a' }, prefer: 'price' };
    const query = () => call('POST', '/capabilities/query', { key: account.key, body });
    await eventually(async () => expect((await query()).json['success']).toBe(true));
    let extra = 0;
    for (let sent = 0; sent < AFTERWARDS; sent += AT_ONCE) {
      for (const reply of await Promise.all(Array.from({ length: AT_ONCE }, query))) {
        const failed = attemptsOf(reply).filter(([, status]) => status === 'failed');
        expect([reply.status, reply.json['success'], failed.length <= 1]).toEqual([200, true, true]);
        extra += failed.length;
      }
    }
    expect(extra).toBeLessThanOrEqual(AFTERWARDS * MAX_EXTRA_SHARE);
  });
});
