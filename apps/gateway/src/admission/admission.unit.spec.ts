import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { account, adminKey, RunningGateway } from '../test-support/running-gateway.js';
import { toldError } from '../test-support/told-error.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

describe('admission', () => {
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
      const refusal = { status: 'failure', scope: 'call', message, ...toldError('insufficient_scope') };
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
    expect(first.headers.get('ratelimit-policy')).toBe('"call";q=2;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"call";r=1;t=(60|[1-5]?\d)$/);
    await gateway.post('/api/v1/capabilities/query', {});
    const limited = await gateway.post('/api/v1/tools/execute', {});
    expect(limited.status).toBe(429);
    expect(await limited.json()).toEqual({
      status: 'failure',
      status_code: 429,
      message: expect.stringMatching(/.+/),
      data: null,
      ...toldError('rate_limited'),
      retry_after_seconds: Number(limited.headers.get('retry-after')),
    });
    const wait = Number(limited.headers.get('retry-after'));
    expect(limited.headers.get('ratelimit')).toBe(`"call";r=0;t=${wait}`);
    expect(wait >= 1 && wait <= 60).toBe(true);
    expect(Number(limited.headers.get('x-ratelimit-reset'))).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1_000));
    expect(gateway.upstream.seen).toHaveLength(2);
    // Another class of the same account is not affected, and another key of the account is.
    expect((await gateway.post('/api/v1/search', {})).status).toBe(200);
    expect((await gateway.post('/api/v1/search', {}, adminKey)).status).toBe(429);
  });

  it('tells the limit of the service that refused rather than its own', async () => {
    await gateway.start({ RATE_LIMIT_ANONYMOUS: '100' });
    const full = {
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1700000001',
      ratelimit: '"registration";r=0;t=7',
      'ratelimit-policy': '"registration";q=5',
    };
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

  it('counts an address once, whatever port a proxy puts behind it', async () => {
    await gateway.start({ RATE_LIMIT_ANONYMOUS: '2', TRUSTED_PROXIES: '127.0.0.1' });
    const statuses = [];
    for (const address of [
      '203.0.113.1:1',
      '203.0.113.1:2',
      '203.0.113.1',
      '[2001:db8::1]:3',
      '[2001:db8::2]',
      '2001:db8::3',
    ]) {
      statuses.push(
        (await gateway.fetch('/api/v1/results/abc', { headers: { 'x-forwarded-for': address } }, '')).status,
      );
    }
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429]);
  });
});
