import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { account, RunningGateway, validKey } from '../test-support/running-gateway.js';

const executionIdPattern = /^exec_[0-9a-f]{32}$/;

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

describe('forwarding', () => {
  it('passes the bytes of a body on and the whole answer back', async () => {
    await gateway.start();
    gateway.upstream.answer(200, '{"a": [1, 2]}', {
      'retry-after': '3',
      'idempotency-replayed': 'true',
      'x-secret': 'no',
    });
    const body = '{ "tool_id": "a.b.c.v1",  "parameters": {"n": 1.50} }';
    const answer = await gateway.post('/api/v1/tools/execute?tool_id=a.b.c.v1', body, validKey, {
      'idempotency-key': 'k1',
    });
    expect([answer.status, await answer.text()]).toEqual([200, '{"a": [1, 2]}']);
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

  it.each([
    ['203.0.113.5:1234', '203.0.113.5'],
    ['[2001:db8::1]:99', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['198.51.100.7, 203.0.113.5:1234', '203.0.113.5'],
    ['203.0.113.5:1, 127.0.0.1:2', '203.0.113.5'],
    ['fe80::1%eth0', 'fe80::1'],
    // A proxy that does not say whom it saw: what stands before that, anybody may have written.
    ['198.51.100.7, unknown', '127.0.0.1'],
    ['203.0.113.5.', '127.0.0.1'],
  ])('takes for the client address of %j what is an address, without a port: %s', async (told, address) => {
    await gateway.start({ TRUSTED_PROXIES: '127.0.0.0/8' });
    await gateway.post('/api/v1/agent/anonymous-register', {}, '', { 'x-forwarded-for': told });
    expect(gateway.identity.seen[0]?.headers['x-client-ip']).toBe(address);
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
