import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RunningGateway, unknownKey, validKey } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

/** Milliseconds; the patience is far beyond whatever is waited for. */
const SHORT_MS = 200;
const PATIENCE_MS = 30_000;
const MAX_IN_FLIGHT = 2;

let gateway: RunningGateway;
afterEach(() => gateway.stop());
async function start(env: Record<string, string>): Promise<void> {
  gateway = new RunningGateway();
  await gateway.start(env);
}

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Sends the parts with pauses, until the connection is closed. @returns what was answered */
async function trickle(parts: readonly string[], pauseMs: number): Promise<string> {
  const socket = await open();
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) });
  for (const part of parts) {
    if (socket.destroyed) break;
    socket.write(part);
    await delay(pauseMs);
  }
  await closed;
  return answer;
}

const head = (path: string, length: number, more = ''): string =>
  `POST /api/v1${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${validKey}\r\ncontent-type: application/json\r\n${more}content-length: ${length}\r\n\r\n`;

describe('a request that comes too slowly', () => {
  it.each([
    ['stops in its head', ['POST /api/v1/search HTTP/1.1\r\nhost: x\r\n']],
    [
      'sends its head by the line',
      ['POST /api/v1/search HTTP/1.1\r\n', ...Array.from({ length: 200 }, () => 'a: 1\r\n')],
    ],
    ['stops in its body', [head('/search', 100), '{"query"']],
    ['sends its body by the byte', [head('/tools/execute', 1_000), ...Array.from({ length: 200 }, () => ' ')]],
  ])('and %s is answered 408, and no service hears of it', async (_what, parts) => {
    await start({ REQUEST_TIMEOUT_MS: String(SHORT_MS) });
    const answer = await trickle(parts, SHORT_MS / 10);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('x-service-api-version: ');
    expect(answer).toContain('Send the whole request at once.');
    expect(gateway.upstream.seen).toEqual([]);
  });
});

describe('a request that is too large', () => {
  it('for its headers is answered 431', async () => {
    await start({});
    const many = await gateway.fetch('/api/v1/auth/credits', {
      headers: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`x-${index}`, '1'])),
    });
    expect([many.status, await many.json()]).toEqual([
      431,
      {
        status: 'failure',
        message: 'The request has too many headers. Send at most 100.',
        ...toldError('headers_too_large'),
      },
    ]);
    const long = await gateway.fetch('/api/v1/auth/credits', { headers: { 'x-long': 'x'.repeat(20_000) } });
    expect(long.status).toBe(431);
    expect(gateway.upstream.seen).toEqual([]);
  });

  it('for what strangers may send is answered 413, which is less than others may', async () => {
    await start({});
    const body = { agent_name: 'scout', purpose: 'x'.repeat(70_000) };
    expect((await gateway.post('/api/v1/agent/anonymous-register', body, '')).status).toBe(413);
    expect(gateway.identity.seen.filter(({ path }) => path.includes('anonymous-register'))).toEqual([]);
    expect((await gateway.post('/api/v1/tools/execute', body)).status).toBe(200);
  });

  it('for how deep it nests is answered 400, however deep that is', async () => {
    await start({});
    for (const depth of [101, 100_000]) {
      const answer = await gateway.post('/api/v1/tools/execute', `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
      expect(answer.status).toBe(400);
    }
    expect(gateway.upstream.seen).toEqual([]);
  });
});

describe('requests beyond as many as may be under way', () => {
  const notDispatched = {
    status: 'failure',
    ...toldError('not_dispatched'),
    retry_after_seconds: 1,
    message:
      'The call was not run, because a part of the service is temporarily unavailable. Repeat it after Retry-After.',
  };
  const unavailable = {
    status: 'failure',
    message: 'The service is temporarily unavailable. Retry later.',
    retry_after_seconds: 1,
    ...toldError('service_unavailable'),
  };
  const lost = 'The upstream service is unavailable.';

  it('are refused as their route documents it, before a key is looked at or a body read, and later ones are served', async () => {
    await start({ MAX_REQUESTS_IN_FLIGHT: String(MAX_IN_FLIGHT) });
    const held: ServerResponse[] = [];
    gateway.upstream.behave = (_request, response) => void held.push(response);
    const served = Array.from({ length: MAX_IN_FLIGHT }, () => gateway.post('/api/v1/tools/execute', {}));
    while (held.length < MAX_IN_FLIGHT) await delay(5);
    const asked = gateway.identity.seen.length;
    for (const [path, status, retryAfter, body] of [
      ['/tools/execute', 503, '1', notDispatched],
      ['/tools/by-ids', 502, null, { error: lost, message: lost, ...toldError('upstream_unavailable') }],
      ['/search', 503, '1', unavailable],
      ['/agent/claim', 503, '1', unavailable],
    ] as const) {
      const answer = await gateway.post(`/api/v1${path}`, { query: 'x' });
      expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
        status,
        retryAfter,
        body,
      ]);
    }
    // The body is announced and never sent.
    const socket = await open();
    socket.write(head('/tools/execute', 1_000));
    const [refused] = (await once(socket, 'data')) as [Buffer];
    expect(refused.toString()).toMatch(/^HTTP\/1\.1 503 /);
    socket.destroy();
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
    expect(await gateway.metrics.getSingleMetricAsString('gateway_requests_shed_total')).toMatch(/ 5$/);
    expect([held.length, gateway.identity.seen.length]).toEqual([MAX_IN_FLIGHT, asked]);

    gateway.upstream.behave = (_request, response) => response.end('{}');
    for (const response of held) response.end('{}');
    expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200]);
    while ((await gateway.post('/api/v1/search', { query: 'x' })).status === 503) await delay(5);
    expect((await gateway.post('/api/v1/search', { query: 'x' })).status).toBe(200);
  });

  it('are none of those that wait for the body of a search without a valid key, which have a second for it', async () => {
    await start({ MAX_REQUESTS_IN_FLIGHT: String(MAX_IN_FLIGHT) });
    const keys = [undefined, 'sk-short', unknownKey];
    const answers = keys.map(async (key) => {
      const socket = await open();
      const credential = key === undefined ? '' : `authorization: Bearer ${key}\r\n`;
      socket.write(
        `POST /api/v1/search HTTP/1.1\r\nhost: x\r\n${credential}content-type: application/json\r\ncontent-length: 20\r\n\r\n{`,
      );
      const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(PATIENCE_MS / 10) })) as [Buffer];
      socket.destroy();
      return answer.toString();
    });
    await delay(SHORT_MS);
    expect((await gateway.post('/api/v1/search', { query: 'x' })).status).toBe(200);
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).toContain('"message":"Invalid API key","status_code":401,"query":"","search_id":"srch_failed"');
    }
  });
});

describe('a search without a valid key', () => {
  it.each([
    ['that can be read', JSON.stringify({ query: 'ü', limit: 3 }), 'ü'],
    ['that is no JSON', '{"query":', ''],
    ['that is larger than any query', JSON.stringify({ query: 'x', filling: 'x'.repeat(20_000) }), ''],
    ['of several megabytes', JSON.stringify({ query: 'x'.repeat(3_000_000) }), ''],
  ])('is answered with the query of a body %s', async (_what, body, query) => {
    await start({});
    for (const key of ['', 'sk-short', unknownKey]) {
      const answer = await gateway.post('/api/v1/search', body, key);
      expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ query, total: 0 })]);
      expect(answer.headers.get('x-ratelimit-limit')).toBeNull();
    }
  });

  it('counts as a request without a credential of its address, whatever it has for a key', async () => {
    await start({ RATE_LIMIT_ANONYMOUS: '3' });
    const statuses = [];
    for (const key of ['', 'sk-short', unknownKey, 'sk-short']) {
      statuses.push((await gateway.post('/api/v1/search', { query: 'x' }, key)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429]);
    const limited = await gateway.post('/api/v1/search', { query: 'x' }, '');
    expect(limited.headers.get('retry-after')).toMatch(/^[1-6]?\d$/);
    expect(await limited.json()).toMatchObject({ status_code: 429, data: null, ...toldError('rate_limited') });
    expect((await gateway.post('/api/v1/search', { query: 'x' })).status).toBe(200);
  });
});
