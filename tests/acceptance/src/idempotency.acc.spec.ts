import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, request as rawRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { executionLookUp } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, listUsage, remainingCredits, settledUsageOf } from './support/audit.js';
import { adminKey, nextOrigin } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { call, send, type Reply } from './support/http.js';
import { asObject, asString, type JsonObject } from './support/json.js';
import { listen } from './support/listen.js';
import { freeCall, largeCall, paidCall, priceOf, type KnownCall } from './support/tools.js';

/** Letters only, so that nothing else has it. */
const provider = `zi${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;
const PRICE_CREDITS = 0.5;
/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;
/** Milliseconds that the provider takes where others have to meet a running call. */
const SLOW_MS = 500;
const PARALLEL = 50;

const slowCall: KnownCall = { toolId: `${provider}.things.get.v1`, parameters: { id: 'a-1' } };
let server: Server;
let requests = 0;
let listener: RequestListener;
let account: TestAccount;

const answering =
  (delayMs: number): RequestListener =>
  (_request, response) => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"size":3}'), delayMs);
  };

beforeAll(async () => {
  account = await newAccount();
  server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  await listen(server);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const reply = await send('PUT', `/admin/v1/providers/${provider}`, {
    key: adminKey,
    body: {
      provider_id: provider,
      name: { en: provider },
      description: { en: 'Things.' },
      egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
      tools: [
        {
          tool_id: slowCall.toolId,
          name: { en: 'get' },
          description: { en: 'A tool of the acceptance suite.' },
          parameters_schema: {
            type: 'object',
            additionalProperties: false,
            required: ['id'],
            properties: { id: { type: 'string', maxLength: 50 } },
          },
          examples: [{ parameters: slowCall.parameters }],
          price: { amount_credits: String(PRICE_CREDITS) },
          binding: { kind: 'http', method: 'GET', url: `${origin}/things/{id}`, placements: { id: { in: 'path' } } },
        },
      ],
    },
  });
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
  // Every replica knows the tool when it no longer says that there is none; without parameters nothing is called.
  await eventually(async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const known = await execute(account.key, { toolId: slowCall.toolId, parameters: {} });
      expect(known.json['details']).toEqual([expect.objectContaining({ type: 'missing' })]);
    }
  });
}, TIMEOUT_MS);
afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});
beforeEach(async () => {
  account = await newAccount();
  requests = 0;
  listener = answering(0);
});

const keyed = (key: string, known: KnownCall, more: JsonObject = {}, by = account): Promise<Reply> =>
  execute(by.key, known, more, { headers: { 'idempotency-key': key } });
const lookUp = (key: string, by = account): Promise<Reply> =>
  call('GET', '/tools/executions/by-idempotency-key', { key: by.key, query: { key } });
const isReplay = (reply: Reply): boolean => reply.headers.get('idempotency-replayed') === 'true';

describe('an Idempotency-Key', () => {
  it(`makes ${PARALLEL} parallel calls one: one provider call, one charge, one audit row, the same answer or 409`, async () => {
    listener = answering(SLOW_MS);
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: PARALLEL }, () => keyed(key, slowCall)));
    const answered = replies.filter(({ status }) => status === 200);
    const [ran] = answered.filter((reply) => !isReplay(reply));
    expect(answered.filter((reply) => !isReplay(reply))).toHaveLength(1);
    for (const reply of answered) expect(reply.json).toEqual(ran?.json);
    const running = replies.filter(({ status }) => status === 409);
    expect(answered.length + running.length).toBe(PARALLEL);
    for (const reply of running) {
      expect(reply.json['execution_id']).toBe(ran?.json['execution_id']);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(requests).toBe(1);
    const late = await keyed(key, slowCall);
    expect({ replayed: isReplay(late), json: late.json }).toEqual({ replayed: true, json: ran?.json });
    await settledUsageOf(account.key, ran?.json['execution_id']);
    expect(await listCharges(account.key)).toHaveLength(1);
    expect(await listUsage(account.key, { event_type: 'tool_execute' })).toHaveLength(1);
    expect(await remainingCredits(account.key)).toBe(account.initialCredits - PRICE_CREDITS);
  });

  it('makes parallel calls of a free tool one', async () => {
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 20 }, () => keyed(key, freeCall)));
    const ids = new Set(replies.map(({ json }) => json['execution_id']));
    expect(ids.size).toBe(1);
    expect(replies.filter(({ status }) => status === 200).filter((reply) => !isReplay(reply))).toHaveLength(1);
    await settledUsageOf(account.key, [...ids][0]);
    expect(await listUsage(account.key, { event_type: 'tool_execute' })).toHaveLength(1);
  });

  it('gives the first answer again although it failed, and leaves no second audit row', async () => {
    listener = (_request, response) => response.writeHead(404).end();
    const key = randomUUID();
    const failed = await keyed(key, slowCall);
    expect(failed.json).toMatchObject({ success: false, cost: 0 });
    listener = answering(0);
    const again = await keyed(key, slowCall, { session_id: 'another', search_id: null });
    expect({ status: again.status, json: again.json }).toEqual({ status: 200, json: failed.json });
    expect(requests).toBe(1);
    await settledUsageOf(account.key, failed.json['execution_id']);
    expect(await listUsage(account.key, { event_type: 'tool_execute' })).toHaveLength(1);
  });

  it('that comes with another body is refused with 422 and an audit row', async () => {
    const key = randomUUID();
    await keyed(key, slowCall);
    const others: [KnownCall, JsonObject][] = [
      [{ ...slowCall, parameters: { id: 'b-2' } }, {}],
      [slowCall, { max_response_size: 5 }],
      [freeCall, {}],
    ];
    for (const [known, more] of others) {
      const refused = await keyed(key, known, more);
      expect({ status: refused.status, json: refused.json }).toMatchObject({
        status: 422,
        json: { success: false, details: [{ loc: ['header', 'Idempotency-Key'] }] },
      });
      const row = await settledUsageOf(account.key, refused.json['execution_id']);
      expect(row).toMatchObject({ reason_code: 'validation_error' });
    }
    expect(requests).toBe(1);
  });

  it('is let go by a call that was refused before dispatch', async () => {
    const key = randomUUID();
    expect((await keyed(key, { ...slowCall, parameters: {} })).status).toBe(422);
    expect((await keyed(key, { ...slowCall, toolId: `${provider}.none.get.v1` })).status).toBe(422);
    expect((await lookUp(key)).status).toBe(404);
    expect((await keyed(key, slowCall)).json).toMatchObject({ success: true });
  });

  it('is let go by a call for which the credits did not suffice', async () => {
    const poor = await newAccount((await priceOf(account.key, paidCall.toolId)) / 2);
    const key = randomUUID();
    expect((await keyed(key, paidCall, {}, poor)).status).toBe(402);
    const run = await keyed(key, freeCall, {}, poor);
    expect({ replayed: isReplay(run), json: run.json }).toMatchObject({ replayed: false, json: { success: true } });
  });

  it.each([
    ['with a space', 'a b'],
    ['of 256 characters', 'k'.repeat(256)],
    ['beyond ASCII', 'é'],
  ])('%s is refused with 422, naming the header', async (_fault, key) => {
    const refused = await keyed(key, slowCall);
    expect({ status: refused.status, json: refused.json }).toMatchObject({
      status: 422,
      json: { success: false, details: [{ loc: ['header', 'Idempotency-Key'] }] },
    });
    expect(requests).toBe(0);
  });

  it.each([
    ['twice', ['one', 'two']],
    ['empty', ['']],
  ])('that is sent %s is refused with 422', async (_how, keys) => {
    const url = new URL('/api/v1/tools/execute', nextOrigin());
    const headers = {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      'idempotency-key': keys,
    };
    const status = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      rawRequest(url, { method: 'POST', headers }, (response) => {
        void text(response).then((body) => resolve({ status: response.statusCode, body }));
      })
        .on('error', reject)
        .end(JSON.stringify({ tool_id: slowCall.toolId, parameters: slowCall.parameters }));
    });
    expect(status).toMatchObject({ status: 422, body: expect.stringContaining('Idempotency-Key') });
    expect(requests).toBe(0);
  });

  it('of another account is another key', async () => {
    const other = await newAccount();
    const key = randomUUID();
    const [mine, theirs] = [await keyed(key, slowCall), await keyed(key, slowCall, {}, other)];
    expect(isReplay(theirs)).toBe(false);
    expect(theirs.json['execution_id']).not.toBe(mine.json['execution_id']);
    expect(requests).toBe(2);
  });

  it('replays a truncated answer with a link that works, and an untruncated one whole', async () => {
    const key = randomUUID();
    const first = await keyed(key, largeCall);
    const again = await keyed(key, largeCall);
    const [link, signedAnew] = [first, again].map(({ json }) =>
      asString(asObject(json['result'])['full_content_file_url'], 'full_content_file_url'),
    );
    const withoutLink = ({ json }: Reply) => ({
      ...json,
      result: { ...asObject(json['result']), full_content_file_url: '' },
    });
    expect(withoutLink(again)).toEqual(withoutLink(first));
    const contents = await Promise.all([link, signedAnew].map(async (url) => (await fetch(url ?? '')).text()));
    expect(contents[1]).toBe(contents[0]);
    expect(Buffer.byteLength(contents[0] ?? '')).toBeGreaterThan(20_480);
    const wholeKey = randomUUID();
    const whole = await keyed(wholeKey, largeCall, { max_response_size: -1 });
    expect((await keyed(wholeKey, largeCall, { max_response_size: -1 })).json).toEqual(whole.json);
  });
});

describe('GET /tools/executions/by-idempotency-key', () => {
  it('says pending while the call runs, and then completed with its answer', async () => {
    let release = (): void => undefined;
    listener = (_request, response) => {
      release = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"size":4}');
    };
    const key = randomUUID();
    const running = keyed(key, slowCall);
    const pending = await eventually(async () => {
      expect(requests).toBe(1);
      return lookUp(key);
    });
    expect(pending.json).toMatchObject({ status: 'success', data: { status: 'pending' } });
    expectShape(pending.json['data'], executionLookUp);
    expect((await keyed(key, slowCall)).status).toBe(409);
    release();
    const { json } = await running;
    const ended = await lookUp(key);
    expect(ended.json['data']).toMatchObject({
      status: 'completed',
      execution_id: json['execution_id'],
      response: json,
    });
    expectShape(ended.json['data'], executionLookUp);
  });

  it('does not know a key that was never used, or that another account used', async () => {
    const other = await newAccount();
    const key = randomUUID();
    await keyed(key, freeCall, {}, other);
    for (const unknown of [key, randomUUID()]) {
      const reply = await lookUp(unknown);
      expect({ status: reply.status, json: reply.json }).toMatchObject({ status: 404, json: { status: 'failure' } });
    }
    expect((await lookUp(key, other)).status).toBe(200);
  });

  it.each([
    ['An empty key', ''],
    ['One with a space', 'a b'],
    ['One of 256 characters', 'k'.repeat(256)],
  ])('%s is refused with 422', async (_fault, key) => {
    const reply = await lookUp(key);
    expect({ status: reply.status, json: reply.json }).toMatchObject({
      status: 422,
      json: { message: expect.stringContaining('key'), detail: [{ loc: ['query', 'key'] }] },
    });
  });

  it('needs an API key', async () => {
    expect((await call('GET', '/tools/executions/by-idempotency-key', { query: { key: 'k' } })).status).toBe(401);
  });
});
