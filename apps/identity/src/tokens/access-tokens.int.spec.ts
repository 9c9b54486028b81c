import { createHmac, generateKeyPairSync } from 'node:crypto';
import { readStream } from '@capability-router/event-store';
import { ManualClock } from '@capability-router/kernel';
import type { AccountAssertion } from '@capability-router/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, importPKCS8, jwtVerify, SignJWT, type JWK } from 'jose';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';
import { MAX_LIVE_TOKENS_OF_CLIENT } from './oauth-tokens.sql.js';

const startMs = Date.UTC(2026, 0, 15, 10);
const issuer = 'http://127.0.0.1';
const audience = `${issuer}/api/v1`;
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

let identity: RunningIdentity;
const clock = new ManualClock(startMs);
beforeAll(async () => {
  identity = await RunningIdentity.start(clock);
});
afterAll(() => identity.stop());

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
  readonly account_id: string;
}
let client: Client;
beforeEach(async () => {
  client = await registered(['call', 'read']);
});

const dataOf = <T>({ body }: Answer): T => body['data'] as T;

async function registered(scopes: readonly string[]): Promise<Client> {
  const account = { kind: 'formal', name: 'Test', initial_credits: 0 };
  const opened = await identity.call({ method: 'POST', url: '/admin/v1/accounts', body: account, account: admin });
  const { account_id } = dataOf<{ account_id: string }>(opened);
  const body = { account_id, name: 'batch', scopes };
  const answer = await identity.call({ method: 'POST', url: '/admin/v1/oauth-clients', body, account: admin });
  expect(answer.status).toBe(201);
  return dataOf<Client>(answer);
}

const basic = ({ client_id, client_secret }: Client): string =>
  `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;

const post = (path: string, form: Record<string, string>, authorization: string = basic(client)): Promise<Answer> =>
  identity.call({ method: 'POST', url: `/api/v1/oauth/${path}`, form, authorization });

async function token(form: Record<string, string> = {}): Promise<string> {
  const answer = await post('token', { grant_type: 'client_credentials', ...form });
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
  return String(answer.body['access_token']);
}

async function verify(credential: string): Promise<Record<string, unknown>> {
  const { body } = await identity.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } });
  return body;
}

async function verifyToken(text: string): Promise<Record<string, unknown>> {
  const answer = await identity.call({ method: 'POST', url: '/api/v1/auth/verify-token', body: { token: text } });
  expect(answer.status).toBe(200);
  return dataOf(answer);
}

async function publishedKeys(): Promise<readonly JWK[]> {
  const { body } = await identity.call({ method: 'GET', url: '/api/v1/oauth/jwks.json' });
  return body['keys'] as JWK[];
}

describe('an access token', () => {
  it('is a JWT of RFC 9068 that anybody can verify by the published keys', async () => {
    const text = await token({ scope: 'read', resource: audience });
    const { payload, protectedHeader } = await jwtVerify(
      text,
      createLocalJWKSet({ keys: [...(await publishedKeys())] }),
      {
        issuer,
        audience,
        typ: 'at+jwt',
        currentDate: new Date(clock.nowMs()),
      },
    );
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload).toMatchObject({ sub: client.account_id, client_id: client.client_id, scope: 'read' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
    for (const key of await publishedKeys())
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('verifies as its account, with its own scopes and its own end', async () => {
    const text = await token({ scope: 'call' });
    const { jti, exp } = decodeJwt(text);
    expect(await verify(text)).toEqual({
      valid: true,
      ratePlan: { name: 'formal', perMinute: {} },
      assertion: {
        accountId: client.account_id,
        accountKind: 'formal',
        credentialType: 'access_token',
        oauthClientId: client.client_id,
        scopes: ['call'],
      },
      expiresAt: new Date((exp ?? 0) * 1_000).toISOString(),
      endsWith: [jti],
    });
  });

  it('ends with its revocation, by its own client alone, and leaves an event by which gateways drop it', async () => {
    const text = await token();
    const another = await registered(['call']);
    expect(await post('revoke', { token: text }, basic(another))).toMatchObject({ status: 200, body: {} });
    expect(await verify(text)).toMatchObject({ valid: true });
    expect((await post('introspect', { token: text }, basic(another))).body).toEqual({ active: false });
    expect((await post('introspect', { token: text })).body).toMatchObject({ active: true, sub: client.account_id });

    for (let turn = 0; turn < 2; turn += 1) {
      expect(await post('revoke', { token: text })).toMatchObject({ status: 200, body: {} });
    }
    expect(await verify(text)).toEqual({ valid: false });
    expect((await post('introspect', { token: text })).body).toEqual({ active: false });
    expect(await verifyToken(text)).toMatchObject({
      is_valid: false,
      is_expired: false,
      payload: { scope: 'call read' },
    });
    const { jti } = decodeJwt(text);
    const ended = (await readStream(identity.database.pool, client.account_id)).filter(
      ({ type }) => type === 'OAuthTokenRevoked',
    );
    expect(ended.map(({ data }) => data)).toEqual([expect.objectContaining({ tokenId: jti })]);
  });

  it('ends with its client and with its account', async () => {
    const [one, two] = [await token(), await token()];
    const url = `/admin/v1/oauth-clients/${client.client_id}`;
    const first = await identity.call({ method: 'DELETE', url, account: admin });
    expect(first.status).toBe(200);
    expect((await identity.call({ method: 'DELETE', url, account: admin })).body).toEqual(first.body);
    for (const text of [one, two]) expect(await verify(text)).toEqual({ valid: false });
    expect((await post('token', { grant_type: 'client_credentials' })).status).toBe(401);

    client = await registered(['call']);
    const text = await token();
    await identity.database.pool.query(`UPDATE accounts SET status = 'suspended' WHERE account_id = $1`, [
      client.account_id,
    ]);
    expect(await verify(text)).toEqual({ valid: false });
    expect((await post('token', { grant_type: 'client_credentials' })).status).toBe(400);
  });

  it('is stored nowhere, and neither is the secret of its client', async () => {
    const text = await token();
    const { rows } = await identity.database.pool.query<{ text: string }>(
      `SELECT oauth_tokens::text AS text FROM oauth_tokens UNION ALL SELECT oauth_clients::text FROM oauth_clients
        UNION ALL SELECT events::text FROM events UNION ALL SELECT oauth_signing_keys::text FROM oauth_signing_keys`,
    );
    const secrets = [text.slice(text.lastIndexOf('.') + 1), client.client_secret, '"d"', '"p"'];
    for (const secret of secrets) expect(rows.filter((row) => row.text.includes(secret))).toEqual([]);
  });
});

describe('the keys of tokens', () => {
  it('are rotated without an interruption: the successor is published before it signs, the predecessor until its last token ended', async () => {
    const before = await token();
    const rotate = () => identity.call({ method: 'POST', url: '/admin/v1/oauth-signing-keys:rotate', account: admin });
    const rotated = dataOf<{ key_id: string; signs_from: string }>(await rotate());
    expect(dataOf(await rotate())).toEqual(rotated);
    expect((await publishedKeys()).map(({ kid }) => kid)).toContain(rotated.key_id);
    expect(decodeProtectedHeader(await token()).kid).not.toBe(rotated.key_id);
    clock.advanceMs(Date.parse(rotated.signs_from) - clock.nowMs());
    const after = await token();
    expect(decodeProtectedHeader(after).kid).toBe(rotated.key_id);
    for (const text of [before, after]) expect(await verify(text)).toMatchObject({ valid: true });
    clock.advanceMs(3 * 3_600_000);
    expect((await publishedKeys()).map(({ kid }) => kid)).toEqual([rotated.key_id]);
  });
});

describe('POST /auth/verify-token', () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('tells a good token from one that has ended', async () => {
    const text = await token();
    const inHeader = { method: 'POST', url: '/api/v1/auth/verify-token', authorization: `bearer ${text}` } as const;
    expect(dataOf(await identity.call(inHeader))).toMatchObject({ is_valid: true, is_expired: false });
    clock.advanceMs(3_600_000);
    expect(await verifyToken(text)).toMatchObject({
      is_valid: false,
      is_expired: true,
      payload: { scope: 'call read' },
    });
    expect(await verify(text)).toEqual({ valid: false });
  });

  it('believes no token that it did not sign so', async () => {
    const text = await token();
    const [header = '', payload = '', signature = ''] = text.split('.');
    const claims = decodeJwt(text);
    const { kid = '' } = decodeProtectedHeader(text);
    const [publicKey] = await publishedKeys();
    const ours = { alg: 'RS256', typ: 'at+jwt', kid };
    const pem = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    });
    const foreignKey = await importPKCS8(String(pem), 'RS256');
    const foreign = (head: object): Promise<string> =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...head }).sign(foreignKey);
    const confused = `${part({ ...ours, alg: 'HS256' })}.${payload}`;
    const hmac = createHmac('sha256', JSON.stringify(publicKey)).update(confused).digest('base64url');
    const hostile = [
      'x',
      'a.b.c',
      `${header}.${payload}`,
      `${header}.${part({ ...claims, scope: 'call read manage' })}.${signature}`,
      `${header}.${part({ ...claims, exp: (claims.exp ?? 0) + 1 })}.${signature}`,
      `${part({ ...ours, alg: 'none' })}.${payload}.`,
      `${part({ ...ours, alg: 'none' })}.${payload}.${signature}`,
      `${part({ ...ours, kid: 'unknown' })}.${payload}.${signature}`,
      `${part({ ...ours, jwk: publicKey })}.${payload}.${signature}`,
      `${confused}.${hmac}`,
      await foreign(ours),
      await foreign({ typ: 'at+jwt', jwk: publicKey }),
      'x'.repeat(16_000),
    ];
    for (const one of hostile) {
      expect(await verifyToken(one)).toEqual({ is_valid: false, is_expired: false });
      expect(await verify(one)).toEqual({ valid: false });
    }
    expect(await verifyToken(text)).toMatchObject({ is_valid: true });
  });

  it('believes no token of another issuer, audience, kind or time, even under its own key', async () => {
    const text = await token();
    const claims = decodeJwt(text);
    // A replica whose PUBLIC_URL is another signs with the same keys.
    const other = await RunningIdentity.start(clock, {}, { of: identity, publicUrl: 'http://other.example' });
    try {
      const authorization = basic(client);
      const form = { grant_type: 'client_credentials' };
      const answer = await other.call({ method: 'POST', url: '/api/v1/oauth/token', form, authorization });
      const foreign = String(answer.body['access_token']);
      expect(decodeProtectedHeader(foreign).kid).toBe(decodeProtectedHeader(text).kid);
      expect(decodeJwt(foreign).iss).not.toBe(claims.iss);
      expect(await verifyToken(foreign)).toEqual({ is_valid: false, is_expired: false });
    } finally {
      await other.stop();
    }
  });

  it('is given to a client that has as many as it may once it has revoked one', async () => {
    await identity.database.pool.query(
      `INSERT INTO oauth_tokens (token_id, client_id, account_id, scopes, issued_at, expires_at)
       SELECT gen_random_uuid(), $1, $2, '{call}', $3, $4 FROM generate_series(1, $5)`,
      [
        client.client_id,
        client.account_id,
        new Date(clock.nowMs()),
        new Date(clock.nowMs() + 3_600_000),
        MAX_LIVE_TOKENS_OF_CLIENT - 1,
      ],
    );
    const last = await token();
    const refused = await post('token', { grant_type: 'client_credentials' });
    expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((await post('revoke', { token: last })).status).toBe(200);
    expect(await verify(await token())).toMatchObject({ valid: true });
  });

  it('allows a clock that is a little behind, and none that is far behind', async () => {
    const text = await token();
    clock.advanceMs(-4_000);
    expect(await verifyToken(text)).toMatchObject({ is_valid: true });
    clock.advanceMs(4_000);
  });

  it('needs one token', async () => {
    const url = '/api/v1/auth/verify-token';
    expect((await identity.call({ method: 'POST', url })).status).toBe(422);
    expect((await identity.call({ method: 'POST', url, body: { token: 5 } })).status).toBe(422);
    expect((await identity.call({ method: 'POST', url, body: { token: 'a' }, authorization: 'Bearer b' })).status).toBe(
      422,
    );
  });
});
