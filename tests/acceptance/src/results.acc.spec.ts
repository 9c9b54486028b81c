import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectWireRules, send, toReply, type Reply } from './support/http.js';
import { asObject, asString, type JsonObject } from './support/json.js';
import { largeCall, perKilobyteCall, type KnownCall } from './support/tools.js';

/** A result of some megabytes: every row repeats the name of the column. */
const hugeCall: KnownCall = {
  toolId: perKilobyteCall.toolId,
  parameters: { csv: `${'c'.repeat(200)}\n${'1\n'.repeat(20_000)}` },
};

const linkOf = (body: JsonObject): string => asString(asObject(body['result'])['full_content_file_url'], 'the link');

/** The answer to a client without a credential. */
async function follow(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  // `fetch` would ask for a compressed answer by itself; a length is that of the bytes as they are.
  const response = await fetch(url, {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    redirect: 'manual',
  });
  return toReply(response.status, response.headers, await response.text());
}

describe('the link to a full result', () => {
  let account: TestAccount;
  let url = '';
  let whole = '';
  let executionId = '';
  beforeAll(async () => {
    account = await newAccount();
    const { json } = await execute(account.key, largeCall, { max_response_size: 100 });
    url = linkOf(json);
    executionId = asString(json['execution_id']);
    whole = (await follow(url)).text;
  });
  const bytes = (start: number, end: number): string => Buffer.from(whole).toString('utf8', start, end + 1);
  const size = (): number => Buffer.byteLength(whole);

  it('gives the whole as an attachment that is neither shown, guessed at nor cached', async () => {
    const reply = await follow(url);
    expectWireRules(reply);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'content-disposition': `attachment; filename="${executionId}.json"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
      'content-length': String(size()),
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
    expect(() => asObject({ data: JSON.parse(reply.text) as unknown })).not.toThrow();
  });

  it('gives the parts that are asked for, and they make up the whole', async () => {
    const half = Math.floor(size() / 2);
    const first = await follow(url, { range: `bytes=0-${half - 1}` });
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('content-range')]).toEqual([206, `bytes 0-${half - 1}/${size()}`]);
    const rest = await follow(url, { range: `bytes=${half}-`, 'if-range': etag });
    expect([rest.status, rest.headers.get('content-range')]).toEqual([206, `bytes ${half}-${size() - 1}/${size()}`]);
    expect([first.text, rest.text]).toEqual([bytes(0, half - 1), bytes(half, size() - 1)]);
    expect((await follow(url, { range: 'bytes=-5' })).text).toBe(bytes(size() - 5, size() - 1));
    const changed = await follow(url, { range: 'bytes=0-1', 'if-range': '"another"' });
    expect([changed.status, changed.text]).toEqual([200, whole]);
  });

  it('answers 416 behind the end, and a range that is none with the whole', async () => {
    const beyond = await follow(url, { range: `bytes=${size()}-` });
    expectWireRules(beyond);
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size()}`]);
    for (const range of ['bytes=9-1', 'lines=0-1', 'bytes=0-1,4-5', 'bytes=']) {
      const reply = await follow(url, { range });
      expect([reply.status, reply.text]).toEqual([200, whole]);
    }
  });

  it('gives no bytes to HEAD, and none to who has them', async () => {
    const head = await follow(url, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, String(size()), '']);
    const etag = head.headers.get('etag') ?? '';
    const known = await follow(url, { 'if-none-match': etag });
    expect([known.status, known.headers.get('etag'), known.text]).toEqual([304, etag, '']);
    expect((await follow(url, { 'if-none-match': '"another"' })).text).toBe(whole);
  });

  it('tells HEAD what it would tell who asks for the bytes', async () => {
    const etag = (await follow(url)).headers.get('etag') ?? '';
    const statuses = async (headers: Record<string, string>, path = url) =>
      Promise.all(['GET', 'HEAD'].map(async (method) => (await follow(path, headers, method)).status));
    expect(await statuses({ 'if-none-match': etag })).toEqual([304, 304]);
    expect(await statuses({}, `${url}x`)).toEqual([404, 404]);
  });

  it('is refused when anything in it was changed, and says what to do', async () => {
    const last = url.at(-1) === 'A' ? 'B' : 'A';
    for (const altered of [url.slice(0, -1) + last, url.slice(0, -1), `${url}x`, url.replace('exec_', 'exec_0')]) {
      const reply = await follow(altered);
      expectWireRules(reply);
      expect(reply.status).toBe(404);
      expect(reply.json['message']).toMatch(/full_content_file_url/);
      expect(reply.text).not.toContain('acc_');
    }
    expect((await follow(url)).status).toBe(200);
  });

  it('takes no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) expect((await follow(url, {}, method)).status).toBe(405);
  });

  it('is given again, to the same result, by a replay under an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { tool_id: largeCall.toolId, parameters: largeCall.parameters, max_response_size: 100 };
    const ask = () => execute(account.key, largeCall, {}, { body, headers });
    const [first, replay] = [await ask(), await ask()];
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.json['execution_id']).toBe(first.json['execution_id']);
    const texts = [(await follow(linkOf(first.json))).text, (await follow(linkOf(replay.json))).text];
    expect(texts).toEqual([texts[0], texts[0]]);
    expect(JSON.parse(texts[0] ?? '')).toEqual(JSON.parse(whole));
  });
});

describe('a caller that hangs up during a download', () => {
  /** More than all replicas give to one account at once. */
  const HUNG_UP = 24;

  it('takes no place from others', async () => {
    const { key } = await newAccount();
    const { json } = await execute(key, hugeCall, { max_response_size: 100 });
    const url = linkOf(json);
    for (let turn = 0; turn < HUNG_UP; turn += 1) {
      const hangUp = new AbortController();
      const response = await fetch(url, { signal: hangUp.signal });
      expect(response.status).toBe(200);
      // More than buffers on the way hold.
      expect(Number(response.headers.get('content-length'))).toBeGreaterThan(3_000_000);
      hangUp.abort();
      await expect(response.text()).rejects.toThrow();
    }
    await eventually(async () => {
      const reply = await follow(url);
      expect([reply.status, Buffer.byteLength(reply.text)]).toEqual([200, Number(reply.headers.get('content-length'))]);
    });
  });
});

describe('the full results of an account that is erased', () => {
  it('are gone, and a replay of the link says so', async () => {
    const { accountId, key } = await newAccount();
    const { json } = await execute(key, largeCall, { max_response_size: 100 });
    const url = linkOf(json);
    expect((await follow(url)).status).toBe(200);
    expect((await send('DELETE', `/admin/v1/accounts/${accountId}`, { key: adminKey })).status).toBe(200);
    await eventually(async () => {
      const reply = await follow(url);
      expect(reply.status).toBe(410);
      expect(reply.json['message']).toMatch(/expired/);
    });
  });
});
