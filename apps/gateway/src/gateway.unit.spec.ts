/**
 * This file is long because every rule of the public door is tried on one gateway in front of one real upstream, which
 * each of them needs in the same state.
 */
import { connect, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_JSON_LEVELS, systemClock } from '@capability-router/kernel';
import { account, adminKey, keyOf, RunningGateway, unknownKey, validKey } from './test-support/running-gateway.js';

const executionIdPattern = /^exec_[0-9a-f]{32}$/;

async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${address.port}`;
}

describe('the gateway', () => {
  let gateway: RunningGateway;

  beforeEach(() => {
    gateway = new RunningGateway();
  });
  afterEach(async () => {
    await gateway.stop();
  });

  describe('forwarding', () => {
    it('passes the bytes of a body on and the whole answer back', async () => {
      await gateway.start();
      gateway.upstream.answer(422, '{"a": [1, 2]}', {
        'retry-after': '3',
        'idempotency-replayed': 'true',
        'x-secret': 'no',
      });
      const body = '{ "tool_id": "a.b.c.v1",  "parameters": {"n": 1.50} }';
      const answer = await gateway.post('/api/v1/tools/execute?tool_id=a.b.c.v1', body, validKey, {
        'idempotency-key': 'k1',
      });
      expect([answer.status, await answer.text()]).toEqual([422, '{"a": [1, 2]}']);
      expect(answer.headers.get('retry-after')).toBe('3');
      expect(answer.headers.get('idempotency-replayed')).toBe('true');
      expect(answer.headers.get('x-secret')).toBeNull();
      expect(gateway.upstream.seen).toHaveLength(1);
      expect(gateway.upstream.seen[0]).toMatchObject({ path: '/api/v1/tools/execute?tool_id=a.b.c.v1', body });
      expect(gateway.upstream.seen[0]?.headers['idempotency-key']).toBe('k1');
    });

    it('vouches for the caller with tokens that the service can check, and mints the execution id', async () => {
      await gateway.start();
      await gateway.post('/api/v1/tools/execute', {});
      const headers = gateway.upstream.seen[0]?.headers ?? {};
      const tokens = await gateway.tokensOf('execution');
      expect(await tokens.verifyService(String(headers.authorization).slice('Bearer '.length))).toBe('gateway');
      expect(await tokens.verifyAssertion(String(headers['x-account-assertion']))).toEqual(account);
      expect(headers['x-execution-id']).toMatch(executionIdPattern);
    });

    it('never passes on what a caller claims about identity', async () => {
      await gateway.start();
      const claims = {
        'x-account-assertion': 'forged',
        'x-execution-id': `exec_${'0'.repeat(32)}`,
        'x-client-ip': '203.0.113.9',
        'x-forwarded-for': '203.0.113.9',
        cookie: 'a=b',
      };
      await gateway.post('/api/v1/tools/execute', {}, validKey, claims);
      await gateway.post('/api/v1/agent/anonymous-register', {}, '', claims);
      const [call, registration] = gateway.upstream.seen.concat(
        gateway.identity.seen.filter(({ path }) => path.includes('agent')),
      );
      expect(call?.headers['x-account-assertion']).not.toBe('forged');
      expect(call?.headers['x-execution-id']).not.toBe(claims['x-execution-id']);
      expect(registration?.headers['x-account-assertion']).toBeUndefined();
      for (const request of [call, registration]) {
        expect(request?.headers['x-client-ip']).toBe('127.0.0.1');
        expect(request?.headers['x-forwarded-for']).toBeUndefined();
        expect(request?.headers.cookie).toBeUndefined();
      }
    });

    it('takes the client address from a proxy only when that proxy is trusted', async () => {
      await gateway.start({ TRUSTED_PROXIES: '127.0.0.0/8' });
      await gateway.post('/api/v1/agent/anonymous-register', {}, '', { 'x-forwarded-for': '203.0.113.9' });
      expect(gateway.identity.seen[0]?.headers['x-client-ip']).toBe('203.0.113.9');
    });

    it('takes headers that clients send on reads without a body', async () => {
      await gateway.start();
      gateway.upstream.answer(200, { ok: true });
      const headers = { 'content-type': 'application/json', 'accept-language': '*' };
      expect((await gateway.fetch('/api/v1/auth/usage/history/v2?page=2', { headers })).status).toBe(200);
      expect((await gateway.fetch('/api/v1/credits?x=1', { headers })).status).toBe(200);
      expect(gateway.upstream.seen.map(({ path }) => path)).toEqual([
        '/api/v1/auth/usage/history/v2?page=2',
        '/api/v1/auth/credits?x=1',
      ]);
    });

    it('goes on with a call whose caller hung up', async () => {
      await gateway.start();
      const caller = new AbortController();
      let aborted = false;
      const done = new Promise<void>((resolve) => {
        gateway.upstream.behave = (_request, response, socket) => {
          socket.once('close', () => (aborted = !response.writableEnded));
          caller.abort();
          setTimeout(() => response.end('{}', resolve), 100);
        };
      });
      await expect(
        fetch(`${gateway.url}/api/v1/tools/execute`, {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${validKey}` },
          signal: caller.signal,
        }),
      ).rejects.toThrow();
      await done;
      expect(aborted).toBe(false);
    });
  });

  describe('an upstream that gives no answer', () => {
    it('is told as an unknown outcome with the execution id when the request was written', async () => {
      await gateway.start();
      gateway.upstream.behave = (_request, _response, socket) => socket.destroy();
      const answer = await gateway.post('/api/v1/tools/execute', {});
      const body = await answer.json();
      expect(answer.status).toBe(502);
      expect(body).toMatchObject({
        execution_id: gateway.upstream.seen[0]?.headers['x-execution-id'],
        success: false,
        error_message: 'outcome unknown: read usage history by execution_id',
        message: 'outcome unknown: read usage history by execution_id',
        execution_outcome: { reason_code: 'transport.no_response', outcome: 'transport_failure' },
      });
      expect(gateway.upstream.seen).toHaveLength(1);
    });

    it('is told as 504 with the execution id when the answer is late', async () => {
      await gateway.start({ CALL_TIMEOUT_MS: '2000' });
      gateway.upstream.behave = () => undefined;
      const answer = await gateway.post('/api/v1/tools/execute', {});
      expect(answer.status).toBe(504);
      expect(await answer.json()).toMatchObject({
        execution_id: expect.stringMatching(executionIdPattern),
        success: false,
      });
      expect(gateway.upstream.seen).toHaveLength(1);
    });

    it('is told as an unknown outcome when only the answer was cut off', async () => {
      await gateway.start();
      gateway.upstream.behave = (_request, response, socket) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"execution_id"');
        setTimeout(() => socket.destroy(), 10);
      };
      expect((await gateway.post('/api/v1/tools/execute', {})).status).toBe(502);
    });

    it('is told as 503 with Retry-After when the service cannot have seen the request', async () => {
      await gateway.start({}, { execution: [await closedPort()] });
      const answer = await gateway.post('/api/v1/tools/execute', {});
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await answer.json()).toEqual({
        status: 'failure',
        message: expect.stringMatching(/.+/),
        code: 'not_dispatched',
      });
    });

    it('is told as 503, and of a call that it was not dispatched, when no replica of the service is ready', async () => {
      await gateway.start();
      gateway.upstream.answer(503, { status: 'failure', message: 'x' }, { 'x-service-availability': 'not_ready' });
      const call = await gateway.post('/api/v1/tools/execute', {});
      expect([call.status, call.headers.get('retry-after'), await call.json()]).toEqual([
        503,
        '1',
        expect.objectContaining({ status: 'failure', code: 'not_dispatched' }),
      ]);
      expect(call.headers.has('x-service-availability')).toBe(false);
      expect((await gateway.post('/api/v1/tools/probe', {})).status).toBe(502);
    });

    it('takes no requests, and is not ready, while the clock of its machine is off from that of identity, and says by how much', async () => {
      let skewMs = 0;
      await gateway.start({}, {}, { nowMs: () => systemClock.nowMs() + skewMs });
      const statusOf = async () => (await gateway.fetch('/api/v1/auth/credits')).status;
      gateway.upstream.answer(200, { status: 'success', data: {} });
      expect(gateway.readiness()).toMatchObject({ ready: true });
      for (const off of [3_600_000, -3_600_000]) {
        skewMs = off;
        // The next request has identity asked what time it is.
        while (gateway.readiness()?.ready === true) await statusOf();
        expect(gateway.readiness()).toMatchObject({ ready: false, detail: expect.stringContaining('set it right') });
        expect(await statusOf()).toBe(503);
        skewMs = 0;
        expect(gateway.readiness()).toMatchObject({ ready: true });
        expect(await statusOf()).not.toBe(503);
      }
    });

    it('says of a call whose credential could not be checked that it was not dispatched', async () => {
      await gateway.start();
      await gateway.identity.stop();
      const answer = await gateway.post('/api/v1/tools/execute', {}, keyOf('e'));
      expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'not_dispatched' })]);
      const search = await gateway.post('/api/v1/search', { query: 'x' }, keyOf('e'));
      expect([search.status, await search.json()]).toEqual([
        503,
        { status: 'failure', message: expect.stringMatching(/.+/) },
      ]);
      await gateway.identity.start();
    });

    it('uses another address of a service when the first refuses the connection', async () => {
      const other = new RunningGateway();
      const url = await other.upstream.start();
      await gateway.start({}, { execution: [await closedPort(), url] });
      expect((await gateway.post('/api/v1/tools/execute', {})).status).toBe(200);
      expect((await gateway.post('/api/v1/tools/execute', {})).status).toBe(200);
      expect(other.upstream.seen).toHaveLength(2);
      await other.upstream.stop();
    });

    it.each(['/tools/by-ids', '/tools/probe'])('never makes %s answer 503', async (path) => {
      await gateway.start({}, { registry: [await closedPort()] });
      const refused = await gateway.post(`/api/v1${path}`, {});
      expect([refused.status, await refused.json()]).toEqual([
        502,
        { error: expect.stringMatching(/unavailable/), message: expect.stringMatching(/unavailable/) },
      ]);
      await gateway.identity.stop();
      expect((await gateway.post(`/api/v1${path}`, {}, keyOf('d'))).status).toBe(502);
      await gateway.identity.start();
    });

    it('tells what a service says of its own load in the shape of Inspect, and to a search as it is', async () => {
      await gateway.start();
      const message = 'Too many requests wait to be recorded. Try again in a moment.';
      gateway.upstream.answer(503, { status: 'failure', message }, { 'retry-after': '1' });
      for (const path of ['/tools/by-ids', '/tools/probe']) {
        const inspect = await gateway.post(`/api/v1${path}`, {});
        expect([inspect.status, inspect.headers.get('retry-after'), await inspect.json()]).toEqual([
          502,
          null,
          { error: message, message },
        ]);
      }
      const search = await gateway.post('/api/v1/search', { query: 'x' });
      expect([search.status, search.headers.get('retry-after'), await search.json()]).toEqual([
        503,
        '1',
        { status: 'failure', message },
      ]);
    });

    it('answers late reads with 504 and lost ones with 502', async () => {
      await gateway.start({ UPSTREAM_TIMEOUT_MS: '2000' });
      gateway.upstream.behave = () => undefined;
      const late = await gateway.fetch('/api/v1/auth/credits');
      expect([late.status, await late.json()]).toEqual([504, expect.objectContaining({ status: 'failure' })]);
      for (const path of ['/tools/by-ids', '/tools/probe']) {
        const inspect = await gateway.post(`/api/v1${path}`, {});
        expect([inspect.status, await inspect.json()]).toEqual([
          504,
          { error: expect.stringMatching(/timed out/), message: expect.stringMatching(/timed out/) },
        ]);
      }
      gateway.upstream.behave = (_request, _response, socket) => socket.destroy();
      expect((await gateway.fetch('/api/v1/auth/credits')).status).toBe(502);
    });

    it('never passes a redirect or a refusal of the gateway itself on', async () => {
      await gateway.start();
      for (const status of [301, 302, 307, 401]) {
        gateway.upstream.answer(status, {}, { location: 'https://elsewhere.example' });
        const answer = await gateway.fetch('/api/v1/auth/credits');
        expect([answer.status, answer.headers.get('location')]).toEqual([502, null]);
      }
    });
  });

  describe('a caller who hangs up', () => {
    /** Whole requests, each on a connection that is reset in the moment in which it was sent. */
    async function sendAndReset(times: number, lines: readonly string[], body: string): Promise<void> {
      const { hostname, port } = new URL(gateway.url);
      const head = [...lines, 'host: x', 'content-type: application/json', `content-length: ${body.length}`];
      for (let turn = 0; turn < times; turn += 1) {
        await new Promise<void>((resolve) => {
          const socket = connect(Number(port), hostname, () => {
            socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
            socket.resetAndDestroy();
          });
          socket.once('close', () => resolve()).on('error', () => undefined);
        });
      }
    }

    it('before the request was looked at leaves no error behind, and nothing that was sent on without an address', async () => {
      await gateway.start();
      await gateway.post('/api/v1/tools/execute', {});
      const bearer = `authorization: Bearer ${validKey}`;
      await sendAndReset(50, ['POST /api/v1/tools/execute HTTP/1.1', bearer], '{}');
      await sendAndReset(50, ['POST /api/v1/agent/anonymous-register HTTP/1.1'], '{}');
      expect((await gateway.post('/api/v1/tools/execute', {})).status).toBe(200);
      expect(gateway.logs).toEqual([]);
      for (const { headers } of gateway.upstream.seen) expect(headers['x-client-ip']).toBe('127.0.0.1');
    });
  });

  describe('refusals', () => {
    it('answers an invalid key in the shape of each route, without contacting the service', async () => {
      await gateway.start();
      for (const key of ['', 'sk-short', 'nonsense', unknownKey]) {
        const search = await gateway.post('/api/v1/search', { query: 'weather' }, key);
        expect([search.status, await search.json()]).toEqual([
          401,
          {
            status: 'failure',
            status_code: 401,
            message: 'Invalid API key',
            query: 'weather',
            search_id: 'srch_failed',
            total: 0,
            results: [],
          },
        ]);
        const call = await gateway.post('/api/v1/tools/execute', {}, key);
        expect([call.status, await call.json()]).toEqual([
          401,
          {
            status: 'failure',
            status_code: 401,
            message: 'Invalid API key',
            data: { guidance: expect.stringMatching(/.+/) },
          },
        ]);
        const capability = await gateway.fetch('/api/v1/capabilities/weather.forecast', {}, key);
        expect([capability.status, await capability.json()]).toEqual([
          401,
          { status: 'failure', status_code: 401, message: 'Invalid API key' },
        ]);
        const credits = await gateway.fetch('/api/v1/auth/credits', {}, key);
        expect([credits.status, await credits.json()]).toEqual([
          401,
          { status: 'failure', status_code: 401, message: 'Invalid API key', data: null },
        ]);
      }
      expect(gateway.upstream.seen).toHaveLength(0);
      // Only the key that could have been valid was asked about, and its refusal is remembered.
      expect(gateway.identity.seen).toHaveLength(1);
    });

    it('answers an invalid key before a body it could not read', async () => {
      await gateway.start({ BODY_LIMIT_BYTES: '1024' });
      for (const body of ['{"query":', JSON.stringify({ query: 'x'.repeat(2_000) })]) {
        const answer = await gateway.post('/api/v1/search', body, '');
        expect([answer.status, await answer.json()]).toEqual([
          401,
          expect.objectContaining({ search_id: 'srch_failed' }),
        ]);
      }
      expect((await gateway.post('/api/v1/search', 'a', '', { 'content-type': 'text/plain' })).status).toBe(401);
    });

    it('answers bodies it cannot take with 400, 413 and 415 without contacting the service', async () => {
      await gateway.start({ BODY_LIMIT_BYTES: '1024' });
      const statuses = [
        await gateway.post('/api/v1/search', '{"query":'),
        await gateway.post('/api/v1/search', ''),
        await gateway.fetch('/api/v1/search', { method: 'POST' }),
        await gateway.post('/api/v1/search', JSON.stringify({ query: 'x'.repeat(2_000) })),
        await gateway.post('/api/v1/search', 'query=x', validKey, {
          'content-type': 'application/x-www-form-urlencoded',
        }),
        await gateway.post('/api/v1/search', '{"query":"x"}', validKey, { 'content-encoding': 'gzip' }),
      ];
      expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 413, 415, 415]);
      const messages: unknown[] = [];
      for (const answer of statuses) {
        const told = (await answer.json()) as { readonly message: unknown };
        expect(told).toEqual({ status: 'failure', message: expect.stringMatching(/.+/) });
        messages.push(told.message);
      }
      expect(messages[1]).toContain('no body');
      expect(messages[2]).toContain('no body');
      expect(messages[5]).toContain('Content-Encoding');
      expect(gateway.upstream.seen).toHaveLength(0);
    });

    it('answers 400 to a body that says something twice, on every route, without contacting the service', async () => {
      await gateway.start();
      for (const path of ['/search', '/tools/by-ids', '/tools/probe', '/tools/execute', '/agent/anonymous-register']) {
        for (const [body, named] of [
          ['{"query":"x","query":"y"}', '\\"query\\"'],
          ['{"query":"x","parameters":{"a":1,"\\u0061":2}}', '\\"a\\"'],
          ['{"query":"x","__proto__":{"a":1}}', '__proto__'],
        ] as const) {
          const answer = await gateway.post(`/api/v1${path}`, body);
          expect([path, answer.status]).toEqual([path, 400]);
          expect(await answer.text()).toContain(named);
        }
      }
      expect(gateway.upstream.seen).toHaveLength(0);
    });

    it('answers 400 to a body that nests too deeply, on every route, without contacting the service', async () => {
      await gateway.start();
      const nested = (levels: number): string => `{"query":"x","zz":${'['.repeat(levels)}${']'.repeat(levels)}}`;
      for (const path of ['/search', '/tools/by-ids', '/tools/probe', '/tools/execute', '/agent/anonymous-register']) {
        for (const levels of [MAX_JSON_LEVELS, 20_000, 500_000]) {
          const answer = await gateway.post(`/api/v1${path}`, nested(levels));
          expect([path, levels, answer.status]).toEqual([path, levels, 400]);
          const message = expect.stringContaining(`${MAX_JSON_LEVELS} levels`);
          expect(await answer.json()).toEqual({ status: 'failure', message });
        }
      }
      expect(gateway.upstream.seen).toHaveLength(0);
      const allowed = await gateway.post('/api/v1/search', nested(MAX_JSON_LEVELS - 1));
      expect([allowed.status, gateway.upstream.seen.length]).toEqual([200, 1]);
      expect((await gateway.post('/api/v1/search', nested(20_000), keyOf('e'))).status).toBe(401);
    });

    it('answers unknown paths and methods itself', async () => {
      await gateway.start();
      expect((await gateway.fetch('/api/v1/nothing')).status).toBe(404);
      expect((await gateway.fetch('/internal/credentials:verify', { method: 'POST' })).status).toBe(404);
      expect((await gateway.fetch('/api/v1/search/')).status).toBe(404);
      const method = await gateway.fetch('/api/v1/search');
      expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST']);
      expect((await gateway.fetch('/api/v1/%zz')).status).toBe(400);
      expect(gateway.upstream.seen).toHaveLength(0);
    });

    it('lets only the scope admin through to administration', async () => {
      await gateway.start();
      const forbidden = await gateway.post('/admin/v1/accounts', {});
      expect(forbidden.status).toBe(403);
      expect(await forbidden.json()).toMatchObject({ message: expect.stringContaining('scope "admin"') });
      expect((await gateway.post('/admin/v1/accounts', {}, '')).status).toBe(401);
      expect(gateway.identity.seen.filter(({ path }) => path.startsWith('/admin'))).toHaveLength(0);
      gateway.identity.behave = (
        (inner) => (request, response, socket) =>
          request.path.startsWith('/admin') ? response.writeHead(201).end('{}') : inner(request, response, socket)
      )(gateway.identity.behave);
      expect((await gateway.post('/admin/v1/accounts', {}, adminKey)).status).toBe(201);
      expect((await gateway.fetch('/admin/v1/api-keys/1', { method: 'DELETE' }, adminKey)).status).toBe(201);
    });

    it('writes a line into the security log where a key lacks the scope of a route', async () => {
      await gateway.start();
      for (const path of ['/tools/execute', '/capabilities/query']) {
        const forbidden = await gateway.post(`/api/v1${path}`, {}, adminKey);
        const message = expect.stringContaining('scope "call"');
        const refusal = { status: 'failure', code: 'insufficient_scope', scope: 'call', message };
        expect([path, forbidden.status, await forbidden.json()]).toEqual([path, 403, refusal]);
      }
      expect(gateway.upstream.seen).toHaveLength(0);
      const { accountId, apiKeyId } = account;
      const logged = {
        log: 'security',
        accountId,
        apiKeyId,
        method: 'POST',
        scope: 'call',
        requestId: expect.anything(),
      };
      expect(gateway.logs).toEqual([
        expect.objectContaining({ ...logged, path: '/api/v1/tools/execute' }),
        expect.objectContaining({ ...logged, path: '/api/v1/capabilities/query' }),
      ]);
    });

    it('limits what it forbids', async () => {
      await gateway.start({ RATE_LIMIT_CALL: '1' });
      expect((await gateway.post('/api/v1/tools/execute', {}, adminKey)).status).toBe(403);
      expect((await gateway.post('/api/v1/tools/execute', {}, adminKey)).status).toBe(429);
      expect(gateway.logs).toHaveLength(1);
    });

    it('limits a class per account, in the exact shape, without contacting the service', async () => {
      await gateway.start({ RATE_LIMIT_CALL: '2', RATE_LIMIT_DISCOVER: '1' });
      const first = await gateway.post('/api/v1/tools/execute', {});
      expect([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual(['2', '1']);
      await gateway.post('/api/v1/capabilities/query', {});
      const limited = await gateway.post('/api/v1/tools/execute', {});
      expect(limited.status).toBe(429);
      expect(await limited.json()).toEqual({
        status: 'failure',
        status_code: 429,
        message: expect.stringMatching(/.+/),
        data: null,
      });
      const wait = Number(limited.headers.get('retry-after'));
      expect(wait >= 1 && wait <= 60).toBe(true);
      expect(Number(limited.headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1_000));
      expect(gateway.upstream.seen).toHaveLength(2);
      // Another class of the same account is not affected, and another key of the account is.
      expect((await gateway.post('/api/v1/search', {})).status).toBe(200);
      expect((await gateway.post('/api/v1/search', {}, adminKey)).status).toBe(429);
    });

    it('tells the limit of the service that refused rather than its own', async () => {
      await gateway.start({ RATE_LIMIT_ANONYMOUS: '100' });
      const full = { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000001' };
      gateway.identity.answer(429, {}, { 'retry-after': '7', ...full });
      const answer = await gateway.post('/api/v1/agent/anonymous-register', {}, '');
      expect(answer.status).toBe(429);
      expect(Object.fromEntries(answer.headers)).toMatchObject({ ...full, 'retry-after': '7' });
    });

    it('limits callers without a credential by address', async () => {
      await gateway.start({ RATE_LIMIT_ANONYMOUS: '1', TRUSTED_PROXIES: '127.0.0.1' });
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
      expect((await gateway.fetch('/api/v1/results/abc', from('203.0.113.1'), '')).status).toBe(200);
      expect((await gateway.fetch('/api/v1/results/abc', from('203.0.113.1'), '')).status).toBe(429);
      expect((await gateway.fetch('/api/v1/results/abc', from('203.0.113.2'), '')).status).toBe(200);
    });
  });

  it('puts the contract version and a request id on every answer', async () => {
    await gateway.start();
    const answers = [
      await gateway.fetch('/api/v1/meta', { headers: { 'x-request-id': 'mine-1' } }, ''),
      await gateway.post('/api/v1/search', {}, validKey, { 'x-request-id': 'mine-1' }),
      await gateway.post('/api/v1/search', '{', validKey, { 'x-request-id': 'mine-1' }),
      await gateway.fetch('/api/v1/nothing', { headers: { 'x-request-id': 'mine-1' } }),
      await gateway.fetch('/api/v1/%zz', { headers: { 'x-request-id': 'mine-1' } }),
      await gateway.post('/api/v1/search', {}, '', { 'x-request-id': 'mine-1' }),
    ];
    for (const answer of answers) {
      expect(answer.headers.get('x-service-api-version')).toBe('2026-09-12.1');
      expect(answer.headers.get('x-request-id')).toBe('mine-1');
    }
    expect(await answers[0]?.json()).toEqual({ contract_version: '2026-09-12.1' });
    expect(gateway.upstream.seen[0]?.headers['x-request-id']).toBe('mine-1');
    const long = await gateway.fetch('/api/v1/meta', { headers: { 'x-request-id': 'x'.repeat(129) } }, '');
    expect(long.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('asks about a key once, and again only after its revocation, which it then honours', async () => {
    await gateway.start();
    await Promise.all(Array.from({ length: 20 }, () => gateway.post('/api/v1/search', {})));
    expect(gateway.identity.seen).toHaveLength(1);
    gateway.revoke(account.apiKeyId ?? '');
    expect((await gateway.post('/api/v1/search', {})).status).toBe(401);
    expect(gateway.identity.seen).toHaveLength(2);
  });
});
