import { readStream } from '@capability-router/event-store';
import { ManualClock, uuidv7 } from '@capability-router/kernel';
import type { AccountAssertion } from '@capability-router/contracts';
import { introspection } from '@capability-router/contracts/answers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';
import { MAX_LIVE_TOKENS_OF_FAMILY } from './oauth-tokens.sql.js';
import { insertFamily, purgeFamilies } from './refresh-families.sql.js';
import { hashesOf, newRefreshToken } from './refresh-token.js';

const DAY_MS = 86_400_000;
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

let identity: RunningIdentity;
const clock = new ManualClock(Date.UTC(2026, 0, 15, 10));
/** The operator's, and that of somebody who consents. */
let owner: string;
let person: string;
let client: { readonly client_id: string };
beforeAll(async () => {
  identity = await RunningIdentity.start(clock);
});
afterAll(() => identity.stop());
beforeEach(async () => {
  [owner, person] = [await opened(), await opened()];
  client = await registered({ token_endpoint_auth_method: 'none' });
});

const ask = (method: 'POST' | 'DELETE', url: string, body?: object): Promise<Answer> =>
  identity.call({ method, url, account: admin, ...(body === undefined ? {} : { body }) });
const dataOf = <T>({ body }: Answer): T => body['data'] as T;

async function opened(): Promise<string> {
  const answer = await ask('POST', '/admin/v1/accounts', { kind: 'formal', name: 'Test', initial_credits: 0 });
  return dataOf<{ account_id: string }>(answer).account_id;
}

async function registered(more: object): Promise<{ client_id: string; client_secret?: string }> {
  const body = { account_id: owner, name: 'terminal', scopes: ['call', 'read'], ...more };
  const answer = await ask('POST', '/admin/v1/oauth-clients', body);
  expect(answer.status).toBe(201);
  return dataOf(answer);
}

/** As a consent of the person begins it. */
async function family({ apiKeyId = null }: { readonly apiKeyId?: string | null } = {}): Promise<Family> {
  const refreshToken = newRefreshToken();
  const hashes = hashesOf(refreshToken);
  if (hashes === undefined) throw new Error('no token');
  const familyId = uuidv7(clock.nowMs());
  const times = { beganAt: new Date(clock.nowMs()), expiresAt: new Date(clock.nowMs() + 30 * DAY_MS) };
  const whose = { clientId: client.client_id, accountId: person, apiKeyId };
  await insertFamily(identity.database.pool, {
    familyId,
    ...whose,
    scopes: ['call', 'read'],
    resourcePath: '/api/v1',
    ...hashes,
    ...times,
  });
  return { familyId, refreshToken };
}
interface Family {
  readonly familyId: string;
  readonly refreshToken: string;
}

const post = (path: string, form: Record<string, string>, of: { readonly client_id: string } = client) =>
  identity.call({ method: 'POST', url: `/api/v1/oauth/${path}`, form: { client_id: of.client_id, ...form } });
const refresh = (refreshToken: string, more: Record<string, string> = {}, of = client): Promise<Answer> =>
  post('token', { grant_type: 'refresh_token', refresh_token: refreshToken, ...more }, of);

async function refreshed(refreshToken: string): Promise<{ access: string; next: string }> {
  const { status, body } = await refresh(refreshToken);
  expect(status).toBe(200);
  return { access: String(body['access_token']), next: String(body['refresh_token']) };
}

async function verify(credential: string): Promise<Record<string, unknown>> {
  return (await identity.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } })).body;
}

const invalidGrant = { status: 400, body: { error: 'invalid_grant' }, headers: { 'cache-control': 'no-store' } };

describe('a public client', () => {
  it('has no secret, shows its id alone, and gets nothing without a person', async () => {
    expect(client).toMatchObject({
      token_endpoint_auth_method: 'none',
      grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    });
    expect(client).not.toHaveProperty('client_secret');
    const alone = await post('token', { grant_type: 'client_credentials' });
    expect(alone).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    const body = { account_id: owner, name: 'x', scopes: ['read'], token_endpoint_auth_method: 'none' };
    for (const wrong of [{ grant_types: ['client_credentials'] }, { grant_types: [] }, { grant_types: ['password'] }]) {
      expect((await ask('POST', '/admin/v1/oauth-clients', { ...body, ...wrong })).status).toBe(422);
    }
  });

  it('that shows a secret is as unknown as a confidential one that shows none', async () => {
    const { refreshToken } = await family();
    const confidential = await registered({ grant_types: ['refresh_token'] });
    const asked = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const authorization = `Basic ${Buffer.from(`${client.client_id}:`).toString('base64')}`;
    const refused = [
      await post('token', { ...asked, client_secret: 'x' }),
      await identity.call({ method: 'POST', url: '/api/v1/oauth/token', form: asked, authorization }),
      await post('token', asked, confidential),
      await post('introspect', { token: refreshToken }),
    ];
    for (const { status, body } of refused)
      expect([status, body]).toEqual([401, { ...refused[0]?.body, error: 'invalid_client' }]);
    expect((await refresh(refreshToken)).status).toBe(200);
  });
});

describe('a refresh token', () => {
  it('is replaced with each use, narrows the scopes where it is asked to, and never widens them', async () => {
    const { familyId, refreshToken } = await family();
    const first = await refresh(refreshToken, { scope: 'read' });
    expect(first).toMatchObject({ status: 200, body: { scope: 'read', expires_in: 3_600, token_type: 'Bearer' } });
    const next = String(first.body['refresh_token']);
    expect(next).toMatch(/^rt-[0-9A-Za-z]{56}$/);
    expect(next).not.toBe(refreshToken);
    expect(await refresh(next, { scope: 'manage' })).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    const { access } = await refreshed(next);
    const { jti, exp } = decodeJwt(access);
    expect(await verify(access)).toEqual({
      valid: true,
      ratePlan: { name: 'formal', perMinute: {} },
      assertion: {
        accountId: person,
        accountKind: 'formal',
        credentialType: 'access_token',
        oauthClientId: client.client_id,
        scopes: ['call', 'read'],
      },
      expiresAt: new Date((exp ?? 0) * 1_000).toISOString(),
      endsWith: [jti, familyId, owner],
    });
  });

  it('of which 50 uses come together gives one successor, and its family lives on', async () => {
    const { refreshToken } = await family();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    for (const lost of answers.filter(({ status }) => status !== 200)) expect(lost).toMatchObject(invalidGrant);
    expect(await verify(String(won[0]?.body['access_token']))).toMatchObject({ valid: true });
    expect((await refresh(String(won[0]?.body['refresh_token']))).status).toBe(200);
  });

  it('that was replaced before ends its whole family, whoever shows it', async () => {
    const { familyId, refreshToken } = await family();
    const one = await refreshed(refreshToken);
    const two = await refreshed(one.next);
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant);
    for (const { access, next } of [one, two]) {
      expect(await verify(access)).toEqual({ valid: false });
      expect(await refresh(next)).toMatchObject(invalidGrant);
    }
    const ended = (await readStream(identity.database.pool, person)).filter(
      ({ type }) => type === 'OAuthFamilyRevoked',
    );
    const fact = { familyId, clientId: client.client_id, reason: 'reuse' };
    expect(ended.map(({ data }) => data)).toEqual([expect.objectContaining(fact)]);
  });

  it('that was replaced a moment ago is refused without harm, and later ends the family', async () => {
    const { refreshToken } = await family();
    const { access, next } = await refreshed(refreshToken);
    clock.advanceMs(4_999);
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant);
    expect(await verify(access)).toMatchObject({ valid: true });
    clock.advanceMs(1);
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant);
    expect(await verify(access)).toEqual({ valid: false });
    expect(await refresh(next)).toMatchObject(invalidGrant);
  });

  it('of another client is none, and that client does no harm with it', async () => {
    const { refreshToken } = await family();
    const other = await registered({ token_endpoint_auth_method: 'none' });
    const { next } = await refreshed(refreshToken);
    clock.advanceMs(10_000);
    for (const text of [refreshToken, next]) {
      expect(await refresh(text, {}, other)).toMatchObject(invalidGrant);
      expect(await post('revoke', { token: text }, other)).toMatchObject({ status: 200, body: {} });
    }
    for (const text of ['x', `${next}x`, newRefreshToken()]) expect(await refresh(text)).toMatchObject(invalidGrant);
    expect((await refresh(next)).status).toBe(200);
  });

  it('has an end that nothing puts off, and no access token lives beyond it', async () => {
    let { refreshToken } = await family();
    clock.advanceMs(30 * DAY_MS - 60_000);
    const last = await refresh(refreshToken);
    expect(last).toMatchObject({ status: 200, body: { expires_in: 60 } });
    refreshToken = String(last.body['refresh_token']);
    clock.advanceMs(60_000);
    expect(await refresh(refreshToken)).toMatchObject(invalidGrant);
    expect(await verify(String(last.body['access_token']))).toEqual({ valid: false });
    expect(await purgeFamilies(identity.database.pool, new Date(clock.nowMs()), 1_000)).toBeGreaterThan(0);
    const { rows } = await identity.database.pool.query(`SELECT FROM oauth_families WHERE account_id = $1`, [person]);
    expect(rows).toEqual([]);
  });

  it('gives so many access tokens at a time and no more, and is not used up by a refusal', async () => {
    let { refreshToken } = await family();
    for (let count = 0; count < MAX_LIVE_TOKENS_OF_FAMILY; count += 1)
      refreshToken = (await refreshed(refreshToken)).next;
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    // One that was revoked makes room, as one that has ended does.
    await identity.database.pool.query(
      `UPDATE oauth_tokens SET revoked_at = now() WHERE token_id IN
         (SELECT token_id FROM oauth_tokens WHERE expires_at > $1 AND family_id IS NOT NULL ORDER BY token_id DESC LIMIT 1)`,
      [new Date(clock.nowMs())],
    );
    refreshToken = (await refreshed(refreshToken)).next;
    expect((await refresh(refreshToken)).status).toBe(400);
    clock.advanceMs(3_600_000);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it('is stored nowhere', async () => {
    const { refreshToken } = await family();
    const { next } = await refreshed(refreshToken);
    const { rows } = await identity.database.pool.query<{ text: string }>(
      `SELECT oauth_families::text AS text FROM oauth_families UNION ALL SELECT events::text FROM events`,
    );
    for (const part of [next, next.slice(3, 27), next.slice(27)])
      expect(rows.filter(({ text }) => text.includes(part))).toEqual([]);
  });
});

describe('a family', () => {
  const endings: readonly [string, (given: Family) => Promise<unknown>][] = [
    ['its refresh token, which its client revokes', ({ refreshToken }) => post('revoke', { token: refreshToken })],
    ['its client', () => ask('DELETE', `/admin/v1/oauth-clients/${client.client_id}`)],
    ['the account of the person', () => ask('POST', `/admin/v1/accounts/${person}:suspend`)],
    ['the account of the client', () => ask('POST', `/admin/v1/accounts/${owner}:close`)],
    ['the erasure of the person', () => ask('DELETE', `/admin/v1/accounts/${person}`)],
    ['the erasure of whoever the client was registered for', () => ask('DELETE', `/admin/v1/accounts/${owner}`)],
  ];
  it.each(endings)('ends with %s', async (_what, end) => {
    const { familyId, refreshToken } = await family();
    const { access, next } = await refreshed(refreshToken);
    await end({ familyId, refreshToken: next });
    expect(await verify(access)).toEqual({ valid: false });
    expect((await refresh(next)).status).toBeGreaterThanOrEqual(400);
  });

  it('whose person showed a key ends with the key, and is held by its limits until then', async () => {
    const body = { name: 'laptop', scopes: ['call', 'read'], budget: { amount_credits: 5, period: 'total' } };
    const key = dataOf<{ api_key_id: string }>(await ask('POST', `/admin/v1/accounts/${person}/api-keys`, body));
    const { refreshToken } = await family({ apiKeyId: key.api_key_id });
    const { access, next } = await refreshed(refreshToken);
    expect(await verify(access)).toMatchObject({
      valid: true,
      assertion: {
        accountId: person,
        apiKeyId: key.api_key_id,
        credentialType: 'access_token',
        oauthClientId: client.client_id,
        budgets: { key: { limitMicroCredits: '5000000', period: 'total' } },
      },
    });
    expect((await ask('DELETE', `/admin/v1/api-keys/${key.api_key_id}`)).status).toBe(200);
    expect(await verify(access)).toEqual({ valid: false });
    expect(await refresh(next)).toMatchObject(invalidGrant);
  });

  it('is told to a confidential client that asks about its refresh token', async () => {
    const { client_id, client_secret = '' } = await registered({ grant_types: ['refresh_token'] });
    client = { client_id };
    const { refreshToken } = await family();
    const answer = await post('introspect', { token: refreshToken, client_secret });
    expect(answer.body).toMatchObject({ active: true, client_id, sub: person, scope: 'call read' });
    expect([introspection(answer.body, ''), answer.body]).toEqual([
      [],
      expect.not.objectContaining({ token_type: 'Bearer' }),
    ]);
    await post('revoke', { token: refreshToken, client_secret });
    expect((await post('introspect', { token: refreshToken, client_secret })).body).toEqual({ active: false });
  });
});
