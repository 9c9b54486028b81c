/** @postgres-versions The plan of a page decides whether it stays fast. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountAssertion, ApiKeyScope } from '@capability-router/contracts';
import { planOf } from '@capability-router/event-store/testing';
import { ManualClock, uuidv7 } from '@capability-router/kernel';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const START = Date.UTC(2026, 0, 15, 12);
const OTHER_KEY = '00000000-0000-7000-8000-000000000000';
const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};

const clock = new ManualClock(START);
let identity: RunningIdentity;
beforeAll(async () => {
  identity = await RunningIdentity.start(clock);
});
afterAll(() => identity.stop());

const dataOf = ({ body }: Answer): Record<string, unknown> => body['data'] as Record<string, unknown>;
const textOf = (answer: Answer, member: string): string => dataOf(answer)[member] as string;
const own = (caller: AccountAssertion, method: 'GET' | 'POST' | 'DELETE', path = '', body?: unknown) =>
  identity.call({
    method,
    url: `/api/v1/auth/api-keys${path}`,
    account: caller,
    ...(body === undefined ? {} : { body }),
  });
const verify = (credential: string): Promise<Answer> =>
  identity.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } });

/** A key of a new account as the gateway vouches for it. */
async function newCaller(scopes: readonly ApiKeyScope[], more: object = {}): Promise<AccountAssertion> {
  const url = '/admin/v1/accounts';
  const opened = await identity.call({ method: 'POST', url, body: { kind: 'formal', name: 'a' }, account: admin });
  return keyOf(textOf(opened, 'account_id'), scopes, more);
}
async function keyOf(accountId: string, scopes: readonly ApiKeyScope[], more: object = {}): Promise<AccountAssertion> {
  const url = `/admin/v1/accounts/${accountId}/api-keys`;
  const body = { name: 'k', scopes, ...more };
  const issued = await identity.call({ method: 'POST', url, body, account: admin });
  return (await verify(textOf(issued, 'api_key'))).body['assertion'] as AccountAssertion;
}

describe('the keys of an account', () => {
  it('are issued, listed masked with their last use, and revoked by the account itself', async () => {
    const caller = await newCaller(['call', 'read', 'manage']);
    const expires_at = new Date(START + 3_600_000).toISOString();
    const issued = await own(caller, 'POST', '', { name: 'ci', scopes: ['read'], expires_at });
    expect(issued.status).toBe(201);
    const [id, secret] = [textOf(issued, 'api_key_id'), textOf(issued, 'api_key')];
    expect((await verify(secret)).body).toMatchObject({ valid: true, expiresAt: expires_at });
    await expectEventually(async () => {
      const items = dataOf(await own(caller, 'GET'))['items'] as Record<string, unknown>[];
      expect(items.find((item) => item['api_key_id'] === id)).toEqual({
        api_key_id: id,
        name: 'ci',
        masked_value: textOf(issued, 'masked_value'),
        scopes: ['read'],
        created_at: new Date(START).toISOString(),
        expires_at,
        last_used_at: new Date(START).toISOString(),
      });
    });
    const revoked = await own(caller, 'DELETE', `/${id}`);
    expect(dataOf(revoked)).toEqual({
      api_key_id: id,
      account_id: caller.accountId,
      revoked_at: new Date(START).toISOString(),
    });
    expect((await verify(secret)).body).toEqual({ valid: false });
  });

  it('give no key more than the key that asks has', async () => {
    const manager = await newCaller(['manage', 'read']);
    const ends = await newCaller(['manage', 'read'], { expires_at: new Date(START + 60_000).toISOString() });
    const bounded = await newCaller(['manage', 'call'], { budget: { amount_credits: 1, period: 'day' } });
    const token: AccountAssertion = { ...manager, credentialType: 'delegation_token' };
    const later = new Date(START + 60_001).toISOString();
    for (const [caller, body, status] of [
      [manager, { name: 'x', scopes: ['call'] }, 403],
      [manager, { name: 'x', scopes: ['admin'] }, 403],
      // A new key has `call` by default.
      [manager, { name: 'x' }, 403],
      [bounded, { name: 'x', scopes: ['call'] }, 403],
      [ends, { name: 'x', scopes: ['read'], expires_at: later }, 403],
      [token, { name: 'x', scopes: ['read'] }, 403],
      [{ ...manager, scopes: ['call', 'read'] }, { name: 'x', scopes: ['read'] }, 403],
      [manager, { name: '', scopes: ['read'] }, 422],
      [manager, { name: 'x', scopes: ['read'], expires_at: '2020-01-01T00:00:00Z' }, 422],
      [manager, { name: 'x', scopes: ['read'], expires_at: 'tomorrow' }, 422],
      [bounded, { name: 'x', scopes: ['manage'] }, 201],
    ] as const) {
      const answer = await own(caller, 'POST', '', body);
      expect([body, answer.status]).toEqual([body, status]);
    }
    // Without an end of its own the new key has that of the key that asks.
    const shorter = await own(ends, 'POST', '', { name: 'x', scopes: ['read'] });
    expect(textOf(shorter, 'expires_at')).toBe(new Date(START + 60_000).toISOString());
  });

  it('are rotated with an overlap: both keys work, the old one to its new end', async () => {
    const caller = await newCaller(['call', 'read', 'manage']);
    const issued = await own(caller, 'POST', '', { name: 'ci', scopes: ['read'] });
    const [id, secret] = [textOf(issued, 'api_key_id'), textOf(issued, 'api_key')];
    const rotated = await own(caller, 'POST', `/${id}:rotate`, { overlap_seconds: 60 });
    expect(rotated.status).toBe(201);
    const ends = new Date(START + 60_000).toISOString();
    expect(dataOf(rotated)).toMatchObject({ name: 'ci', scopes: ['read'], replaces: id, replaced_expires_at: ends });
    expect(dataOf(rotated)).not.toHaveProperty('expires_at');
    expect((await verify(secret)).body).toMatchObject({ valid: true, expiresAt: ends });
    expect((await verify(textOf(rotated, 'api_key'))).body).toMatchObject({ valid: true });
    const again = await own(caller, 'POST', `/${id}:rotate`, { overlap_seconds: 0 });
    expect(again.status).toBe(201);
    expect((await verify(secret)).body).toEqual({ valid: false });
    expect((await own(caller, 'POST', `/${id}:rotate`)).status).toBe(409);
    const rights = await keyOf(caller.accountId, ['call']);
    // A key that may only manage is given none that may call.
    const manager = await keyOf(caller.accountId, ['manage']);
    expect((await own(manager, 'POST', `/${rights.apiKeyId}:rotate`)).status).toBe(403);
    const url = `/admin/v1/api-keys/${rights.apiKeyId}:rotate`;
    expect((await identity.call({ method: 'POST', url, account: admin })).status).toBe(201);
    expect((await identity.call({ method: 'POST', url, account: caller })).status).toBe(403);
    expect((await own(caller, 'POST', `/${id}:turn`)).status).toBe(404);
    expect((await own(caller, 'POST', `/${id}:rotate`, { overlap_seconds: '60' })).status).toBe(422);
  });

  it('are not rotated by a key that ends before them, which would outlive itself', async () => {
    const owner = await newCaller(['call', 'read', 'manage']);
    const end = (ms: number) => ({ expires_at: new Date(START + ms).toISOString() });
    const lasting = await keyOf(owner.accountId, ['call', 'read', 'manage']);
    const longer = await keyOf(owner.accountId, ['read'], end(120_000));
    const shorter = await keyOf(owner.accountId, ['read'], end(60_000));
    const ending = await keyOf(owner.accountId, ['call', 'read', 'manage'], end(60_000));
    const rotate = ({ apiKeyId }: AccountAssertion) =>
      own(ending, 'POST', `/${String(apiKeyId)}:rotate`, { overlap_seconds: 0 });
    for (const key of [lasting, longer]) {
      const refused = await rotate(key);
      expect(refused.status).toBe(403);
      expect(JSON.stringify(refused.body)).toContain('gives no key that ends later');
    }
    for (const key of [shorter, ending]) {
      expect(textOf(await rotate(key), 'expires_at')).toBe(new Date(START + 60_000).toISOString());
    }
    // Nothing was changed where it was refused.
    expect((await own(lasting, 'POST', `/${String(longer.apiKeyId)}:rotate`)).status).toBe(201);
  });

  it('are neither issued, rotated nor changed by a key that ended after the gateway vouched for it', async () => {
    const owner = await newCaller(['call', 'read', 'manage']);
    const other = await keyOf(owner.accountId, ['read']);
    const ended = await keyOf(owner.accountId, ['read', 'manage']);
    const administrator = await keyOf(owner.accountId, ['admin']);
    for (const { apiKeyId } of [ended, administrator]) await own(owner, 'DELETE', `/${String(apiKeyId)}`);
    const { accountId } = await newCaller(['read']);
    const client = { account_id: accountId, name: 'x', scopes: ['read'] };
    const asked = [
      [ended, 'POST', '/api/v1/auth/api-keys', { name: 'x', scopes: ['read'] }],
      [ended, 'POST', `/api/v1/auth/api-keys/${String(other.apiKeyId)}:rotate`, {}],
      [administrator, 'POST', `/admin/v1/accounts/${accountId}/api-keys`, { name: 'x', scopes: ['admin'] }],
      [administrator, 'POST', `/admin/v1/api-keys/${String(other.apiKeyId)}:rotate`, {}],
      [administrator, 'POST', `/admin/v1/api-keys/${String(other.apiKeyId)}/scopes`, { scopes: ['admin'] }],
      [administrator, 'PATCH', `/admin/v1/api-keys/${String(other.apiKeyId)}`, { budget: null }],
      [administrator, 'POST', '/admin/v1/oauth-clients', client],
    ] as const;
    for (const [account, method, url, body] of asked) {
      const refused = await identity.call({ method, url, body, account });
      // The gateway answers as to every other key that is none.
      expect([url, refused.status, refused.headers['x-credential']]).toEqual([url, 401, 'ended']);
    }
    expect((await own(owner, 'POST', `/${String(other.apiKeyId)}:rotate`)).status).toBe(201);
  });

  it('are not issued by the key of an administrator whose revocation is being written', async () => {
    const { accountId, apiKeyId } = await newCaller(['admin']);
    const { accountId: target } = await newCaller(['read']);
    const url = `/admin/v1/accounts/${target}/api-keys`;
    const account = { ...admin, accountId, ...(apiKeyId === undefined ? {} : { apiKeyId }) };
    const issue = () => identity.call({ method: 'POST', url, body: { name: 'x' }, account });
    expect((await issue()).status).toBe(201);
    const revocation = await identity.database.pool.connect();
    try {
      await revocation.query('BEGIN');
      await revocation.query('UPDATE api_keys SET revoked_at = now() WHERE api_key_id = $1', [apiKeyId]);
      const issued = issue();
      const first = await Promise.race([issued, new Promise((resolve) => setTimeout(resolve, 300, 'waits'))]);
      await revocation.query('COMMIT');
      expect([first, (await issued).status]).toEqual(['waits', 401]);
    } finally {
      revocation.release();
    }
  });

  it('of two administrators are rotated by each other at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [await newCaller(['admin']), await newCaller(['admin'])];
      const rotations = [one, other].map((account, index) => {
        const url = `/admin/v1/api-keys/${String((index === 0 ? other : one).apiKeyId)}:rotate`;
        return identity.call({ method: 'POST', url, body: { overlap_seconds: 60 }, account });
      });
      expect((await Promise.all(rotations)).map(({ status }) => status)).toEqual([201, 201]);
    }
  });

  it('of another account are unknown, and so is every other id', async () => {
    const [caller, other] = [await newCaller(['manage', 'read', 'call']), await newCaller(['manage'])];
    for (const id of [other.apiKeyId, OTHER_KEY, 'x']) {
      expect([id, (await own(caller, 'DELETE', `/${id}`)).status]).toEqual([id, 404]);
      expect([id, (await own(caller, 'POST', `/${id}:rotate`)).status]).toEqual([id, 404]);
    }
    const { rows } = await identity.database.pool.query(
      'SELECT revoked_at, expires_at FROM api_keys WHERE api_key_id = $1',
      [other.apiKeyId],
    );
    expect(rows).toEqual([{ revoked_at: null, expires_at: null }]);
  });

  it('are paged in the order of an index, ten thousand revoked ones among them', async () => {
    const caller = await newCaller(['manage']);
    const ids = Array.from({ length: 10_000 }, (_, index) => uuidv7(START - 1_000_000 + index));
    await identity.database.owner.query(
      `INSERT INTO api_keys (api_key_id, account_id, key_hash, masked_value, name, scopes, issued_at, revoked_at)
       SELECT id, $1, sha256(id::text::bytea), 'sk-', 'k', '{call}', now(), now() FROM unnest($2::uuid[]) AS id`,
      [caller.accountId, ids],
    );
    await identity.database.owner.query('ANALYZE api_keys');
    const first = await own(caller, 'GET', '?limit=2');
    expect((dataOf(first)['items'] as { api_key_id: string }[]).map((item) => item.api_key_id)).toEqual([
      caller.apiKeyId,
      ids.at(-1),
    ]);
    const second = await own(caller, 'GET', `?limit=2&before=${textOf(first, 'next_before')}`);
    expect((dataOf(second)['items'] as { api_key_id: string }[]).map((item) => item.api_key_id)).toEqual([
      ids.at(-2),
      ids.at(-3),
    ]);
    expect((await own(caller, 'GET', '?limit=0')).status).toBe(422);
    const url = `/admin/v1/accounts/${caller.accountId}/api-keys`;
    const all = await identity.call({ method: 'GET', url, account: admin });
    const [last] = (dataOf(all)['items'] as { api_key_id: string }[]).slice(-1);
    expect([dataOf(all)['has_more'], last?.api_key_id]).toEqual([true, textOf(all, 'next_before')]);
    const next = await identity.call({ method: 'GET', url: `${url}?before=${ids[3]}`, account: admin });
    expect(dataOf(next)).toMatchObject({ has_more: false, items: [2, 1, 0].map((at) => ({ api_key_id: ids[at] })) });
    expect(dataOf(next)).not.toHaveProperty('next_before');
    expect((await identity.call({ method: 'GET', url: `${url}?before=x`, account: admin })).status).toBe(422);
    const sql = 'SELECT 1 FROM api_keys WHERE account_id = $1 AND api_key_id < $2 ORDER BY api_key_id DESC LIMIT 50';
    const plan = await planOf(identity.database.pool, sql, [caller.accountId, ids[5_000]]);
    expect(plan).toMatch(/Index.* Scan/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  });
});

/** The record of uses is written every five seconds. */
async function expectEventually(assert: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    try {
      return await assert();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
