import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { nextOrigin } from './support/environment.js';
import { call, expectWireRules, toReply, type Reply } from './support/http.js';
import { toldError } from './support/told-error.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const failure = expect.objectContaining({ status: 'failure', message: expect.stringMatching(/\S/) });

describe.each(['/search', '/tools/by-ids', '/tools/execute'])('POST %s', (path) => {
  it.each(['{"query": ', '{query: 1}', '', '[1,2', '\u0000'])(
    'answers 400 to the unreadable body %j',
    async (rawBody) => {
      const reply = await call('POST', path, {
        key: account.key,
        rawBody,
        headers: { 'content-type': 'application/json' },
      });
      expect(reply.status).toBe(400);
      expect(reply.json).toEqual(failure);
    },
  );

  it('answers 415 to a body that is not JSON by its content type', async () => {
    const reply = await call('POST', path, {
      key: account.key,
      rawBody: 'query=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(reply.status).toBe(415);
    expect(reply.json).toEqual(failure);
  });

  it('answers 415 to a body that is compressed, and says so', async () => {
    const reply = await call('POST', path, {
      key: account.key,
      body: { query: 'convert units', tool_ids: ['a.b.c.v1'], parameters: {} },
      headers: { 'content-encoding': 'gzip' },
    });
    expect(reply.status).toBe(415);
    expect(reply.json).toEqual(failure);
    expect(reply.json['message']).toContain('Content-Encoding');
  });

  it('answers 413 to a body over the limit, from its announced length on', async () => {
    const reply = await announceBody(path, account.key, 64 * 1024 * 1024);
    expectWireRules(reply);
    expect(reply.status).toBe(413);
    expect(reply.json).toEqual(failure);
  });

  it('takes a body of nearly 1 MiB', async () => {
    const reply = await call('POST', path, { key: account.key, body: { more: 'x'.repeat(1_048_000) } });
    // Nothing that it needs is in it.
    expect(reply.status).toBe(422);
  });

  it('answers 405 to another method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const reply = await call(method, path, { key: account.key });
      expect([method, reply.status]).toEqual([method, 405]);
      expect(reply.json).toEqual(failure);
    }
  });

  it('is not taken in by __proto__ in a body', async () => {
    const reply = await call('POST', path, {
      key: account.key,
      rawBody: '{"query":"convert units","tool_ids":["a.b.c.v1"],"__proto__":{"admin":true}}',
    });
    expect([200, 400, 422]).toContain(reply.status);
  });
});

describe('any path under /api/v1', () => {
  it.each([
    '/no-such-path',
    '/search/',
    '/tools',
    '/auth/credits/extra/parts',
    '/../admin/v1/accounts',
    '/internal/holds',
  ])('answers 404 to %s', async (path) => {
    const reply = await call('GET', path, { key: account.key });
    expect(reply.status).toBe(404);
    expect(reply.json).toEqual(failure);
  });

  it('never answers with a redirect to a path with a slash too many', async () => {
    const reply = await call('POST', '//search', { key: account.key, body: { query: 'x' } });
    expect(reply.status).toBe(404);
  });

  it('says what is wrong with a URL that is too long', async () => {
    const reply = await call('GET', `/meta?text=${'x'.repeat(20_000)}`);
    expect(reply.status).toBe(431);
    const message: unknown = expect.stringMatching(/too large.* \d+ bytes/);
    expect(reply.json).toEqual({ status: 'failure', message, ...toldError('headers_too_large') });
  });

  it('says what is wrong with a URL that is not percent-encoded', async () => {
    const answer = await sendBytes(`GET /api/v1/meta?text=会话 HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"message":"The URL is invalid. Percent-encode');
    expect(answer.toLowerCase()).toContain('x-service-api-version: ');
  });

  it.each(['/auth/credits', '/auth/usage/history/v2?page_size=1', '/auth/usage/history/v2/export'])(
    'answers a request for %s that names the whole URL, as to a proxy',
    async (path) => {
      const head = [
        `GET http://router.example/api/v1${path} HTTP/1.1`,
        'Host: router.example',
        `Authorization: Bearer ${account.key}`,
        'Connection: close',
      ];
      expect(await sendBytes(`${head.join('\r\n')}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('accepts Content-Type application/json on a GET without a body', async () => {
    const headers = { 'content-type': 'application/json', 'accept-language': '*' };
    const reply = await call('GET', '/auth/credits', { key: account.key, headers });
    expect(reply.status).toBe(200);
  });

  it('gives back the request id of the caller, on success and on error', async () => {
    for (const [method, path] of [
      ['GET', '/meta'],
      ['GET', '/no-such-path'],
      ['GET', '/auth/credits'],
    ] as const) {
      const reply = await call(method, path, { headers: { 'x-request-id': 'acceptance-0123.4567' } });
      expect(reply.headers.get('x-request-id')).toBe('acceptance-0123.4567');
    }
  });

  it.each([
    ['one with spaces', 'two words'],
    ['one that is too long', 'x'.repeat(1_000)],
  ])('puts its own request id in place of %s', async (_what, requestId) => {
    const reply = await call('GET', '/meta', { headers: { 'x-request-id': requestId } });
    expect(reply.headers.get('x-request-id')).not.toBe(requestId);
  });
});

/** Bytes as they are, and what comes back until the connection is closed. */
function sendBytes(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(nextOrigin());
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('error', reject);
    socket.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
  });
}

/** Sends the head of a request that announces `bytes` of body, and none of the body. */
function announceBody(path: string, key: string, bytes: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${nextOrigin()}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': bytes },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        const headers = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve(toReply(response.statusCode ?? 0, headers, Buffer.concat(chunks).toString('utf8')));
        request.destroy();
      });
    });
    request.flushHeaders();
  });
}
