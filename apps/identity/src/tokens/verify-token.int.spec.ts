import { createHmac } from 'node:crypto';
import type { AccountAssertion } from '@capability-router/contracts';
import { ManualClock, uuidv7 } from '@capability-router/kernel';
import { TestIssuer } from '@capability-router/service-kit/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const startMs = Date.UTC(2026, 0, 15, 10);
const audience = 'http://127.0.0.1/api/v1';
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

type Claims = Readonly<Record<string, unknown>>;

/** Whoever signs: the deployment itself, or a company. */
interface Signer {
  /** The claims of a token that is good in every respect. */
  readonly claims: Claims;
  readonly header: Claims;
  readonly iss: string;
  /** Seconds by which its clock may be ahead. */
  readonly skew: number;
  readonly keys: TestIssuer;
  good(): Promise<string>;
}

let identity: RunningIdentity;
let company: TestIssuer;
let own: TestIssuer;
let clock: ManualClock;
beforeAll(async () => {
  [company, own] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
  clock = new ManualClock(startMs);
  identity = await RunningIdentity.start(clock, company.settings({ open_accounts: {} }));
});
afterAll(async () => {
  await Promise.all([company.close(), own.close()]);
  await identity.stop();
});
beforeEach(() => {
  // The keys of the company may be asked for again.
  clock.advanceMs(5_000);
});

const post = (url: string, body: unknown): Promise<Answer> =>
  identity.call({ method: 'POST', url, body, account: admin });
const dataOf = ({ body }: Answer): Record<string, unknown> => body['data'] as Record<string, unknown>;
const seconds = (): number => Math.floor(clock.nowMs() / 1_000);

async function verifyToken(token: string): Promise<unknown> {
  const answer = await identity.call({ method: 'POST', url: '/api/v1/auth/verify-token', body: { token } });
  expect(answer.status).toBe(200);
  const { is_valid: valid, is_expired: expired, payload } = dataOf(answer);
  return { valid, expired, told: payload !== undefined };
}

async function verifies(credential: string): Promise<unknown> {
  const { body } = await identity.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } });
  return body['valid'];
}

function companySigner(): Signer {
  const claims = { sub: 'ada', aud: audience, iat: seconds(), exp: seconds() + 600, scope: 'call' };
  return { claims, header: {}, iss: company.iss, skew: 30, keys: company, good: () => company.sign(claims) };
}

/** A key whose private half the test knows stands beside those of the deployment. */
async function ownSigner(): Promise<Signer> {
  const opened = dataOf(await post('/admin/v1/accounts', { kind: 'formal', name: 'Test', initial_credits: 0 }));
  const client = dataOf(
    await post('/admin/v1/oauth-clients', { account_id: opened['account_id'], name: 'batch', scopes: ['call'] }),
  );
  const login = Buffer.from(`${String(client['client_id'])}:${String(client['client_secret'])}`).toString('base64');
  const kid = uuidv7(clock.nowMs());
  await identity.database.pool.query(
    `INSERT INTO oauth_signing_keys (key_id, public_jwk, sealed_private, made_at, signs_from) VALUES ($1, $2, $3, $4, $4)`,
    [kid, JSON.stringify({ ...own.keys[0], kid }), Buffer.alloc(64), new Date(startMs - 60_000)],
  );
  const claims = {
    iss: 'http://127.0.0.1',
    sub: opened['account_id'],
    aud: audience,
    iat: seconds(),
    exp: seconds() + 600,
    jti: uuidv7(clock.nowMs()),
    client_id: client['client_id'],
    scope: 'call',
  };
  return {
    claims,
    header: { typ: 'at+jwt', kid },
    iss: claims.iss,
    skew: 5,
    keys: own,
    good: async () => {
      const form = { grant_type: 'client_credentials' };
      const url = '/api/v1/oauth/token';
      const { body } = await identity.call({ method: 'POST', url, form, authorization: `Basic ${login}` });
      return String(body['access_token']);
    },
  };
}

const good = { valid: true, expired: false, told: true };
const none = { valid: false, expired: false, told: false };
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.each<[string, () => Promise<Signer>]>([
  ['of this deployment', ownSigner],
  ['of a configured issuer', () => Promise.resolve(companySigner())],
])('POST /auth/verify-token and a token %s', (_whose, signerOf) => {
  let signer: Signer;
  beforeAll(async () => {
    signer = await signerOf();
  });
  beforeEach(() => {
    signer = { ...signer, claims: { ...signer.claims, iat: seconds(), exp: seconds() + 600 } };
  });
  const signed = (claims: Claims = {}, header: Claims = {}): Promise<string> =>
    signer.keys.sign({ ...signer.claims, ...claims }, { ...signer.header, ...header });

  it('answers that a good one is valid until it ends, and then that it has expired', async () => {
    const text = await signer.good();
    expect(await verifyToken(text)).toEqual(good);
    expect(await verifies(text)).toBe(true);
    clock.advanceMs(3_600_000);
    expect(await verifyToken(text)).toEqual({ valid: false, expired: true, told: true });
    expect(await verifies(text)).toBe(false);
  });

  it('tells what a genuine one says, so that the tokens below are refused for what is wrong with each', async () => {
    expect(await verifyToken(await signed())).toMatchObject({ expired: false, told: true });
  });

  const badClaims: [string, () => Claims][] = [
    ['another audience', () => ({ aud: 'https://other.example/api/v1' })],
    ['no audience', () => ({ aud: undefined })],
    ['another issuer', () => ({ iss: 'https://other.example' })],
    ['the issuer with a slash', () => ({ iss: `${signer.iss}/` })],
    ['no end', () => ({ exp: undefined })],
    ['an end that is no number', () => ({ exp: '9999999999' })],
    ['no time of issue', () => ({ iat: undefined })],
    ['no subject', () => ({ sub: undefined })],
    ['an issue further ahead than clocks may be', () => ({ iat: seconds() + signer.skew + 1 })],
    ['a begin further ahead than clocks may be', () => ({ nbf: seconds() + signer.skew + 1 })],
  ];
  it.each(badClaims)('refuses one with %s', async (_name, claims) => {
    const text = await signed(claims());
    expect(await verifyToken(text)).toEqual(none);
    expect(await verifies(text)).toBe(false);
  });

  it('allows a clock that is a little ahead, and puts no end off', async () => {
    const ahead = await signed({ iat: seconds() + signer.skew, nbf: seconds() + signer.skew });
    expect(await verifyToken(ahead)).toMatchObject({ expired: false, told: true });
    const ended = await signed({ iat: seconds() - 60, exp: seconds() });
    expect(await verifyToken(ended)).toEqual({ valid: false, expired: true, told: true });
  });

  const badHeaders: [string, Claims][] = [
    ['an unknown key', { kid: 'unknown' }],
    ['no key', { kid: undefined }],
    ['a key that is no text', { kid: 5 }],
    ['a key of its own', { kid: 'own', jwk: { kty: 'RSA', e: 'AQAB', n: 'x' } }],
    ['an address of keys', { kid: 'own', jku: 'https://evil.example/keys' }],
    ['another type', { typ: 'logout+jwt' }],
  ];
  it.each(badHeaders)('refuses one whose header has %s', async (_name, header) => {
    const text = await signed({}, header);
    expect(await verifyToken(text)).toEqual(none);
    expect(await verifies(text)).toBe(false);
  });

  it('refuses one that is not signed, signed by a stranger, or by the public key as a secret', async () => {
    const text = await signed();
    const [header = '', payload = '', signature = ''] = text.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string };
    const typ = signer.header['typ'] ?? 'JWT';
    const stranger = await TestIssuer.start();
    const publicKey = JSON.stringify(signer.keys.keys[0]);
    const confused = `${part({ alg: 'HS256', typ, kid })}.${payload}`;
    const hmac = createHmac('sha256', publicKey).update(confused).digest('base64url');
    const hostile = [
      `${part({ alg: 'none', typ, kid })}.${payload}.`,
      `${part({ alg: 'none', typ, kid })}.${payload}.${signature}`,
      `${part({ alg: 'nOnE', typ, kid })}.${payload}.${signature}`,
      `${confused}.${hmac}`,
      `${part({ alg: 'RS512', typ, kid })}.${payload}.${signature}`,
      `${part({ alg: 'RS256', typ, kid, crit: ['b64'], b64: false })}.${payload}.${signature}`,
      await stranger.sign(signer.claims, { ...signer.header, kid }),
      `${header}.${part({ ...signer.claims, scope: 'call read manage' })}.${signature}`,
      `${header}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -4)}`,
    ];
    await stranger.close();
    for (const one of hostile) {
      expect(await verifyToken(one)).toEqual(none);
      expect(await verifies(one)).toBe(false);
    }
  });

  it('refuses what is no token, or a larger one than there are', async () => {
    const [header = '', payload = '', signature = ''] = (await signed()).split('.');
    const large = await signed({ filler: 'x'.repeat(9_000) });
    const malformed = ['x', 'a.b.c', '...', header, `${header}.${payload}`, `${header}.e30.${signature}`, large];
    for (const one of [...malformed, `${header}.W10.${signature}`, `${header}.${payload}.${signature}.x`]) {
      expect(await verifyToken(one)).toEqual(none);
      expect(await verifies(one)).toBe(false);
    }
  });
});

describe('POST /auth/verify-token', () => {
  it('says that it cannot tell while the keys of an issuer are not to be had', async () => {
    company.behave = (_request, response) => response.writeHead(500).end();
    const token = await company.sign(companySigner().claims, { kid: 'new' });
    const answer = await identity.call({ method: 'POST', url: '/api/v1/auth/verify-token', body: { token } });
    company.behave = undefined;
    expect(answer.status).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.body['message']).toContain('keys of the issuer');
  });
});
