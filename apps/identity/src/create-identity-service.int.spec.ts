/** @postgres-versions The service runs under a role without rights on the schema. */
import type { AccountAssertion } from '@capability-router/contracts';
import { isJsonObject, ManualClock, type JsonObject } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningIdentity, type Answer } from './test-support/running-identity.js';

const noon = Date.UTC(2026, 0, 15, 12);
const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};
const stranger: AccountAssertion = { ...admin, scopes: ['call', 'read'] };

const dataOf = (answer: Answer): JsonObject => {
  const { data } = answer.body;
  if (!isJsonObject(data)) throw new Error(`no data in ${JSON.stringify(answer.body)}`);
  return data;
};

const textOf = (data: JsonObject, member: string): string => {
  const value = data[member];
  if (typeof value !== 'string') throw new Error(`no text ${member} in ${JSON.stringify(data)}`);
  return value;
};

describe('the identity service', () => {
  const clock = new ManualClock(noon);
  let identity: RunningIdentity;
  const heard: string[] = [];
  beforeAll(async () => {
    identity = await RunningIdentity.start(clock);
    await identity.bus.broadcastListener().listen(['internal.identity.accounts.v1'], (event) => heard.push(event.type));
  });
  afterAll(() => identity.stop());

  const register = (body: unknown, clientAddress = '192.0.2.1'): Promise<Answer> =>
    identity.call({ method: 'POST', url: '/api/v1/agent/anonymous-register', body, clientAddress });
  const verify = async (credential: unknown): Promise<Record<string, unknown>> =>
    (await identity.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } })).body;
  const createAccount = (body: unknown): Promise<Answer> =>
    identity.call({ method: 'POST', url: '/admin/v1/accounts', body, account: admin });

  it('is ready', () => expect(identity.service.ready()).toMatchObject({ ready: true }));

  it('publishes what it recorded', async () => {
    await createAccount({ kind: 'formal', name: 'heard' });
    const deadline = Date.now() + 30_000;
    while (!heard.includes('AccountOpened') && Date.now() < deadline) await new Promise((done) => setTimeout(done, 20));
    expect(heard).toContain('AccountOpened');
  });

  describe('anonymous registration', () => {
    it('answers an envelope whose key works at once', async () => {
      const answer = await register({
        agent_name: 'scout',
        model: null,
        purpose: 'line one\nline two'.slice(0, 8),
        x: 1,
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ status: 'success', status_code: 0 });
      const data = dataOf(answer);
      expect(data).toEqual({
        agent_id: expect.stringMatching(/^agt_[0-9a-f]{32}$/),
        agent_name: 'scout',
        account_id: expect.stringMatching(/^acc_[0-9a-f]{32}$/),
        api_key: expect.stringMatching(/^sk-[0-9A-Za-z]{32,}$/),
        claim_code: expect.stringMatching(/^clm_[0-9a-z]{26}$/),
        trial_credits: 50,
        expires_at: '2026-01-22T12:00:00.000Z',
        limits: { max_credits_per_call: 5, scopes: ['call', 'read'] },
      });
      expect(await verify(data['api_key'])).toMatchObject({
        valid: true,
        assertion: { accountId: data['account_id'], accountKind: 'trial', maxCallMicroCredits: '5000000' },
      });
    });

    it.each([
      [{}, 'missing'],
      [{ agent_name: 7 }, 'string_type'],
      [{ agent_name: '' }, 'string_too_short'],
      [{ agent_name: 'x'.repeat(81) }, 'string_too_long'],
      [{ agent_name: 'nul\0' }, 'string_pattern_mismatch'],
      [{ agent_name: '   ' }, 'string_pattern_mismatch'],
      [{ agent_name: 'a', purpose: ['b'] }, 'string_type'],
      [[], 'dict_type'],
    ])('answers 422 with a message and details to %j', async (body, type) => {
      const answer = await register(body);
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ message: expect.any(String), detail: [{ type, loc: expect.any(Array) }] });
    });

    it('answers 400 to a body that is no JSON', async () => {
      expect(await register('{"agent_name":')).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    });

    it('answers 429 beyond the cap of an address, with the seconds until midnight UTC', async () => {
      for (let i = 0; i < 5; i += 1)
        expect(await register({ agent_name: 'a' }, '198.51.100.1')).toMatchObject({ status: 200 });
      const answer = await register({ agent_name: 'a' }, '198.51.100.1');
      expect(answer.status).toBe(429);
      expect(answer.body).toEqual({
        status: 'failure',
        status_code: 429,
        message: expect.any(String),
        code: 'rate_limited',
        data: null,
      });
      expect(answer.headers).toMatchObject({
        'retry-after': String(12 * 3_600),
        'x-ratelimit-limit': '5',
        'x-ratelimit-remaining': '0',
        'ratelimit-policy': '"registration";q=5',
        'x-ratelimit-reset': String((noon + 12 * 3_600_000) / 1_000),
      });
    });

    it('opens nothing when the gateway names no client address', async () => {
      expect((await register({ agent_name: 'a' }, '')).status).toBe(500);
      expect((await register({ agent_name: 'a' }, 'unknown')).status).toBe(500);
    });
  });

  describe('administration', () => {
    it('opens accounts with the configured or the given credits', async () => {
      const usual = await createAccount({ kind: 'formal', name: 'usual' });
      expect(usual).toMatchObject({ status: 201, body: { data: { kind: 'formal', initial_credits: 1000 } } });
      const given = await createAccount({ kind: 'formal', name: 'given', initial_credits: 0.000001 });
      expect(dataOf(given)['initial_credits']).toBe(0.000001);
    });

    it('answers 409 to an e-mail address that is taken, in whatever case', async () => {
      expect((await createAccount({ kind: 'formal', name: 'a', email: 'Ada@example.org' })).status).toBe(201);
      expect((await createAccount({ kind: 'formal', name: 'b', email: 'ada@EXAMPLE.org' })).status).toBe(409);
    });

    it.each([
      { kind: 'royal', name: 'a' },
      { kind: 'formal' },
      { kind: 'formal', name: 'a', initial_credits: -1 },
      { kind: 'formal', name: 'a', initial_credits: '5' },
      { kind: 'formal', name: 'a', initial_credits: 0.0000001 },
      { kind: 'formal', name: 'a', initial_credits: 1e300 },
      { kind: 'formal', name: 'a', email: 'nobody' },
      { kind: 'formal', name: 'a', surprise: true },
    ])('answers 422 to %j', async (body) => expect((await createAccount(body)).status).toBe(422));

    it('issues, lists and revokes keys; the key is in the first answer only', async () => {
      const accountId = textOf(dataOf(await createAccount({ kind: 'formal', name: 'keys' })), 'account_id');
      const url = `/admin/v1/accounts/${accountId}/api-keys`;
      const issued = await identity.call({
        method: 'POST',
        url,
        body: { name: 'ci', scopes: ['read'] },
        account: admin,
      });
      expect(issued.status).toBe(201);
      const key = textOf(dataOf(issued), 'api_key');
      const keyId = textOf(dataOf(issued), 'api_key_id');
      expect(await verify(key)).toMatchObject({ valid: true, assertion: { accountId, scopes: ['read'] } });

      const listed = await identity.call({ method: 'GET', url, account: admin });
      expect(dataOf(listed)).toMatchObject({ items: [{ api_key_id: keyId, name: 'ci' }], has_more: false });
      expect(JSON.stringify(listed.body)).not.toContain(key);

      const path = `/admin/v1/api-keys/${keyId}`;
      const revoked = await identity.call({ method: 'DELETE', url: path, account: admin });
      clock.advanceMs(1_000);
      const again = await identity.call({ method: 'DELETE', url: path, account: admin });
      expect(revoked.status).toBe(200);
      expect(again.body).toEqual(revoked.body);
      expect(await verify(key)).toEqual({ valid: false });
    });

    it('erases an account, again with the same answer, and never the one that asks', async () => {
      const accountId = textOf(dataOf(await createAccount({ kind: 'formal', name: 'gone' })), 'account_id');
      const url = `/admin/v1/accounts/${accountId}`;
      const erased = await identity.call({ method: 'DELETE', url, account: admin });
      expect(erased).toMatchObject({ status: 200, body: { data: { account_id: accountId } } });
      clock.advanceMs(1_000);
      expect((await identity.call({ method: 'DELETE', url, account: admin })).body).toEqual(erased.body);
      const keys = await identity.call({ method: 'POST', url: `${url}/api-keys`, body: { name: 'a' }, account: admin });
      expect(keys.status).toBe(409);
      const own = await identity.call({
        method: 'DELETE',
        url: `/admin/v1/accounts/${admin.accountId}`,
        account: admin,
      });
      expect(own).toMatchObject({ status: 409, body: { message: expect.stringContaining('another administrator') } });
    });

    it.each([
      ['DELETE', `/admin/v1/accounts/acc_${'0'.repeat(32)}`, undefined],
      ['DELETE', '/admin/v1/accounts/nonsense', undefined],
      ['GET', `/admin/v1/accounts/acc_${'0'.repeat(32)}/api-keys`, undefined],
      ['POST', `/admin/v1/accounts/acc_${'0'.repeat(32)}/api-keys`, { name: 'a' }],
      ['GET', '/admin/v1/accounts/nonsense/api-keys', undefined],
      ['DELETE', '/admin/v1/api-keys/01940000-0000-7000-8000-000000000000', undefined],
      ['DELETE', '/admin/v1/api-keys/nonsense', undefined],
    ] as const)('answers 404 to %s %s', async (method, url, body) => {
      expect((await identity.call({ method, url, body, account: admin })).status).toBe(404);
    });

    it.each([
      ['POST', '/admin/v1/accounts'],
      ['POST', `/admin/v1/accounts/${admin.accountId}/api-keys`],
      ['GET', `/admin/v1/accounts/${admin.accountId}/api-keys`],
      ['DELETE', '/admin/v1/api-keys/01940000-0000-7000-8000-000000000000'],
      ['DELETE', `/admin/v1/accounts/acc_${'1'.repeat(32)}`],
    ] as const)('lets nobody without the scope admin use %s %s', async (method, url) => {
      const body = method === 'POST' ? {} : undefined;
      expect((await identity.call({ method, url, body, account: stranger })).status).toBe(403);
      expect((await identity.call({ method, url, body })).status).toBe(401);
    });
  });

  it.each(['/internal/credentials:verify', '/api/v1/agent/anonymous-register', '/admin/v1/accounts'])(
    'lets only the gateway use %s',
    async (url) => {
      expect((await identity.call({ method: 'POST', url, body: {}, as: 'none' })).status).toBe(401);
      expect((await identity.call({ method: 'POST', url, body: {}, as: 'billing' })).status).toBe(403);
    },
  );

  it('answers a credential of any shape as invalid or unreadable, and never fails', async () => {
    expect(await verify('')).toEqual({ valid: false });
    expect(await verify('sk-\0')).toEqual({ valid: false });
    expect(await verify('x'.repeat(10_000))).toEqual({ valid: false });
    expect(await verify(7)).toMatchObject({ status: 'failure' });
  });
});
