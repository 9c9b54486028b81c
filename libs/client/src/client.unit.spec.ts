import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from './client.js';
import { NoAnswerError, NotSettledError, RefusedError } from './errors.js';
import type { ClientOptions } from './options.js';
import { answers, beginsOnly, breaks, breaksWithin, hangs, ScriptedRouter } from './test-support/scripted-router.js';

let router: ScriptedRouter;
beforeAll(async () => {
  router = await ScriptedRouter.start();
});
afterAll(() => router.stop());

const clientWith = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: router.origin, apiKey: 'sk-test', ...options });
const parameters = { expression: '6 * 7' };
const call = (client = clientWith(), more: { idempotencyKey?: string; signal?: AbortSignal } = {}) =>
  client.POST('/tools/execute', { body: { tool_id: 'a.b.v1', parameters }, ...more });
const search = (client = clientWith()) => client.POST('/search', { body: { query: 'x' } });
const credits = (client = clientWith()) => client.GET('/auth/credits');
const served = answers(200, { execution_id: 'exec_1', success: true, result: { data: 42 } });
const busy = answers(503, { status: 'failure', message: 'away', code: 'not_dispatched' }, { 'retry-after': '0' });
const limited = answers(429, { status: 'failure', message: 'slow down' }, { 'retry-after': '0' });
const running = answers(409, { message: 'it runs', execution_id: 'exec_1' }, { 'retry-after': '0' });
const keysOf = () => router.received.map(({ headers }) => headers['idempotency-key']);

describe('a request', () => {
  it('has its path, query, body and credential, and gives the data of its answer', async () => {
    router.script(answers(200, { data: { items: [] } }));
    const client = clientWith({ headers: { 'x-team': 'a' } });
    await client.GET('/auth/credits/ledger/{entry_id}', { params: { path: { entry_id: 'led/1' } } });
    await client.GET('/auth/usage/history/v2', { params: { query: { limit: 2, success: true } } });
    const { data, response } = await client.POST('/tools/by-ids', { body: { tool_ids: ['a.b.v1'] } });
    expect(data).toEqual({ data: { items: [] } });
    expect(response.headers.get('x-request-id')).toBe('req_1');
    expect(router.received.map(({ line }) => line)).toEqual([
      'GET /api/v1/auth/credits/ledger/led%2F1',
      'GET /api/v1/auth/usage/history/v2?limit=2&success=true',
      'POST /api/v1/tools/by-ids',
    ]);
    const [, , last] = router.received;
    expect(last).toMatchObject({
      body: { tool_ids: ['a.b.v1'] },
      headers: { authorization: 'Bearer sk-test', 'x-team': 'a', 'content-type': 'application/json' },
    });
  });

  it('has the credential of the moment, at each attempt', async () => {
    let turn = 0;
    router.script(busy, answers(200, {}));
    await credits(clientWith({ apiKey: async () => `token-${(turn += 1)}` }));
    expect(router.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('reads what is no JSON as it is asked to', async () => {
    router.script(answers(200, 'id,credits\n'));
    const { data } = await clientWith().GET('/auth/credits/ledger/export', { parseAs: 'text' });
    expect(data).toBe('id,credits\n');
  });

  it.each(['', '/', '/api/v1', '/api/v1/', '/tools'])('goes to an address that ends with "%s"', async (ending) => {
    router.script(answers(200, {}));
    await credits(clientWith({ baseUrl: router.origin + ending }));
    expect(router.received[0]?.line).toBe(`GET ${ending === '/tools' ? '/tools' : ''}/api/v1/auth/credits`);
  });
});

describe('a Call', () => {
  it('has a key of its own, which every attempt has', async () => {
    router.script(busy, limited, breaks, breaksWithin, running, served);
    const { data, idempotencyKey } = await call();
    expect(data).toMatchObject({ execution_id: 'exec_1', result: { data: 42 } });
    expect(keysOf()).toEqual(Array(6).fill(idempotencyKey));
    expect(idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    router.script(served);
    expect((await call()).idempotencyKey).not.toBe(idempotencyKey);
  });

  it('has the key that it is given, by either way', async () => {
    router.script(served);
    await call(clientWith(), { idempotencyKey: 'mine' });
    const header = { 'Idempotency-Key': 'in-the-header' };
    await clientWith().POST('/capabilities/query', { params: { header }, body: { query: 'x', parameters } });
    expect(keysOf()).toEqual(['mine', 'in-the-header']);
  });

  it.each([
    ['429', limited],
    ['503', busy],
    ['409', running],
    ['a lost connection', breaks],
    ['a connection that is lost within the answer', breaksWithin],
  ])('without a key is sent once, whatever comes: %s', async (_name, act) => {
    const client = clientWith({ makeIdempotencyKeys: false });
    for (const send of [
      () => call(client),
      () => client.POST('/capabilities/query', { body: { query: 'x', parameters } }),
    ]) {
      router.script(act);
      await expect(send()).rejects.toMatchObject({ attempts: 1, idempotencyKey: undefined });
      expect(keysOf()).toEqual([undefined]);
    }
  });

  it('that is refused says why, with which key it was sent, and how the request is found', async () => {
    const detail = { code: 'payment_required', message: 'The account is blocked.' };
    router.script(answers(402, { status: 'failure', ...detail }));
    const refused = call(clientWith(), { idempotencyKey: 'mine' });
    await expect(refused).rejects.toBeInstanceOf(RefusedError);
    await expect(refused).rejects.toMatchObject({
      message: 'POST /tools/execute: 402 The account is blocked.',
      status: 402,
      code: 'payment_required',
      requestId: 'req_1',
      answer: detail,
      idempotencyKey: 'mine',
      attempts: 1,
    });
  });
});

describe('another request', () => {
  it('waits as long as the router says', async () => {
    router.script(
      answers(429, { message: 'slow down' }, { 'retry-after': '1' }),
      answers(200, { data: { remaining_credits: 1 } }),
    );
    await credits();
    const [first, second] = router.received;
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it('that a lost connection ends is repeated where doing it twice is doing it once', async () => {
    router.script(breaks, breaksWithin, answers(200, {}));
    await credits();
    expect(router.received).toHaveLength(3);
    router.script(breaks);
    await expect(search()).rejects.toMatchObject({ name: 'NoAnswerError', reason: 'lost', attempts: 1 });
    expect(router.received).toHaveLength(1);
  });

  it('that was refused before it began is repeated, a search too', async () => {
    router.script(busy, limited, answers(200, { results: [] }));
    await search();
    expect(router.received).toHaveLength(3);
  });

  it('is not sent more often than it may be', async () => {
    router.script(busy);
    const sent = credits(clientWith({ retry: { maxRetries: 2 } }));
    await expect(sent).rejects.toMatchObject({
      status: 503,
      code: 'not_dispatched',
      attempts: 3,
      retryAfterSeconds: 0,
    });
    expect(router.received).toHaveLength(3);
    router.script(busy);
    await expect(clientWith().GET('/auth/credits', { retry: false })).rejects.toMatchObject({ attempts: 1 });
  });

  it('that would have to wait longer than it may is refused with the time', async () => {
    router.script(answers(429, { message: 'slow down' }, { 'retry-after': '31' }));
    await expect(credits()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 31, attempts: 1 });
  });

  it.each([
    ['has no answer in time', hangs, 'timed_out'],
    ['has an answer that does not end in time', beginsOnly, 'timed_out'],
    ['has a success that is no JSON', answers(200, '<html>'), 'unusable'],
  ] as const)('that %s says so', async (_name, act, reason) => {
    router.script(act);
    const sent = clientWith().GET('/auth/credits', { timeoutMs: 100, retry: { maxRetries: 1 } });
    await expect(sent).rejects.toBeInstanceOf(NoAnswerError);
    await expect(sent).rejects.toMatchObject({ reason, attempts: reason === 'unusable' ? 1 : 2 });
  });

  it('that something else than a router refuses keeps its words', async () => {
    router.script(answers(502, '<html>Bad Gateway</html>'));
    await expect(credits()).rejects.toMatchObject({ status: 502, answer: '<html>Bad Gateway</html>', code: undefined });
  });

  it('that reaches nobody says whom', async () => {
    const gone = await ScriptedRouter.start();
    const client = clientWith({ baseUrl: gone.origin, retry: false });
    await gone.stop();
    const message = expect.stringContaining(`ECONNREFUSED ${new URL(gone.origin).host}`);
    await expect(credits(client)).rejects.toMatchObject({ reason: 'lost', message });
  });
});

describe('a signal', () => {
  const reason = new Error('enough');

  it('ends a request that waits for its answer, with its reason and no repetition', async () => {
    const controller = new AbortController();
    router.script(() => controller.abort(reason));
    await expect(call(clientWith(), { signal: controller.signal })).rejects.toBe(reason);
    expect(router.received).toHaveLength(1);
  });

  it('ends a wait', async () => {
    const controller = new AbortController();
    router.script((response) => {
      // The answer is read before the wait begins, and whoever waited to its end would wait for a day.
      response.once('close', () => setTimeout(() => controller.abort(reason), 50));
      answers(503, { message: 'away' }, { 'retry-after': '86400', connection: 'close' })(response);
    });
    const day = 86_400_000;
    const client = clientWith({ retry: { maxWaitMs: day, maxTotalMs: 2 * day } });
    await expect(client.GET('/auth/credits', { signal: controller.signal })).rejects.toBe(reason);
    expect(router.received).toHaveLength(1);
  });

  it('that is aborted before sends nothing', async () => {
    router.script(served);
    await expect(call(clientWith(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(router.received).toEqual([]);
  });
});

describe('helpers', () => {
  const row = (status: string) => answers(200, { data: { items: [{ id: 'u', billing_snapshot_status: status }] } });

  it('wait until a call is settled, also where its row is not there yet', async () => {
    router.script(answers(200, { data: { items: [] } }), row('pending'), row('settled'));
    expect(await clientWith().settledUsage('exec_1')).toMatchObject({ billing_snapshot_status: 'settled' });
    expect(router.received.map(({ line }) => line)).toEqual(
      Array(3).fill('GET /api/v1/auth/usage/history/v2?execution_id=exec_1'),
    );
    router.script(row('pending'));
    const waited = clientWith().settledUsage('exec_1', { waitMs: 150 });
    await expect(waited).rejects.toEqual(new NotSettledError('exec_1'));
    router.script(answers(200, { data: { items: [] } }));
    await expect(clientWith().settledUsage('exec_2', { waitMs: 150 })).rejects.toThrow('look whether the id is right');
  });

  it('read page after page to the end', async () => {
    const page = (items: readonly number[], more: object) => answers(200, { data: { items, page_size: 2, ...more } });
    router.script(
      page([1, 2], { has_more: true, next_cursor: 'a b' }),
      page([3], { has_more: false, next_cursor: 'for later' }),
    );
    const items: unknown[] = [];
    for await (const item of clientWith().everyItem('/auth/usage/history/v2/summary', { page_size: 2 }))
      items.push(item);
    expect(items).toEqual([1, 2, 3]);
    expect(router.received.map(({ line }) => line.split('?')[1])).toEqual(['page_size=2', 'page_size=2&cursor=a%20b']);
  });
});

it('refuses options that cannot be', () => {
  for (const baseUrl of ['', 'tools.example.com', 'ftp://a']) {
    expect(() => clientWith({ baseUrl })).toThrow('baseUrl is no address of HTTP');
  }
  expect(() => clientWith({ timeoutMs: 0 })).toThrow(RangeError);
  expect(() => clientWith({ retry: { maxRetries: -1 } })).toThrow('retry.maxRetries');
  expect(() => clientWith({ retry: { maxWaitMs: Number.POSITIVE_INFINITY } })).toThrow('retry.maxWaitMs');
});
