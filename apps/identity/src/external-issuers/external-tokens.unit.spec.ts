import { ManualClock } from '@capability-router/kernel';
import {
  createLogger,
  createMetrics,
  externalIssuersEnvSpec,
  externalIssuersOf,
  loadEnv,
} from '@capability-router/service-kit';
import { TestIssuer } from '@capability-router/service-kit/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ExternalTokens, type CheckedExternalToken } from './external-tokens.js';
import { refuseOwnIssuer } from './own-issuer.js';

const nowMs = Date.UTC(2026, 0, 15, 10);
const publicUrl = 'https://tools.example.com';
const MINUTE_MS = 60_000;
const FRESH_MS = 10 * MINUTE_MS;
const COOL_DOWN_MS = 5_000;

type Claims = Readonly<Record<string, unknown>>;

let issuer: TestIssuer;
let clock: ManualClock;
beforeAll(async () => {
  issuer = await TestIssuer.start();
});
afterAll(() => issuer.close());
beforeEach(() => {
  clock = new ManualClock(nowMs);
  issuer.behave = undefined;
  issuer.reads = 0;
});

const trusting = (more: object = {}, metrics = createMetrics()): ExternalTokens => {
  const externalIssuers = externalIssuersOf(loadEnv(externalIssuersEnvSpec, issuer.settings(more)));
  return new ExternalTokens(clock, { publicUrl, externalIssuers }, createLogger('identity', 'silent'), metrics);
};
const claims = (more: Claims = {}): Claims => {
  const now = Math.floor(clock.nowMs() / 1_000);
  return { sub: 'ada', aud: `${publicUrl}/api/v1`, iat: now, exp: now + 600, scope: 'call', ...more };
};
const statusOf = async (tokens: ExternalTokens, text: string): Promise<CheckedExternalToken['status']> =>
  (await tokens.check(text)).status;

async function meaning(more: object, payload: Claims): Promise<unknown> {
  const checked = await trusting(more).check(await issuer.sign(claims(payload)));
  if (checked.status !== 'genuine') return checked.status;
  const { subject, scopes, clientId } = checked.token;
  return { subject, scopes, ...(clientId === undefined ? {} : { clientId }) };
}

describe('what a token of an external issuer means', () => {
  it.each<[string, object, Claims, unknown]>([
    [
      'its subject and the scopes of our names',
      {},
      { scope: 'openid call email' },
      { subject: 'ada', scopes: ['call'] },
    ],
    [
      'never more than the issuer may give',
      {},
      { scope: 'read call manage admin' },
      { subject: 'ada', scopes: ['call', 'read'] },
    ],
    [
      '`manage` only where the operator allows it',
      { max_scopes: ['manage'] },
      { scope: 'call manage' },
      { subject: 'ada', scopes: ['manage'] },
    ],
    ['nothing, where it names no scope', {}, { scope: undefined }, { subject: 'ada', scopes: [] }],
    [
      'the default scopes, where it has no such claim',
      { default_scopes: ['read'] },
      { scope: undefined },
      { subject: 'ada', scopes: ['read'] },
    ],
    [
      'no default scopes, where it has the claim',
      { default_scopes: ['read'] },
      { scope: '' },
      { subject: 'ada', scopes: [] },
    ],
    [
      'roles at a path, by the map alone',
      { scopes_claim: ['realm', 'roles'], scope_map: { analyst: ['call', 'read'] } },
      { realm: { roles: ['analyst', 'manage', 5] } },
      { subject: 'ada', scopes: ['call', 'read'] },
    ],
    [
      'no member that every object inherits',
      { scopes_claim: ['constructor', 'name'] },
      {},
      { subject: 'ada', scopes: [] },
    ],
    [
      'another claim as the subject',
      { subject_claim: 'email' },
      { email: 'ada@acme.example' },
      { subject: 'ada@acme.example', scopes: ['call'] },
    ],
    [
      'the program that it was issued to',
      {},
      { azp: 'portal', client_id: 'other' },
      { subject: 'ada', scopes: ['call'], clientId: 'portal' },
    ],
    [
      'the client, where there is no authorized party',
      {},
      { client_id: 'batch' },
      { subject: 'ada', scopes: ['call'], clientId: 'batch' },
    ],
    ['no program by the form of ours', {}, { azp: `client_${'a'.repeat(32)}` }, { subject: 'ada', scopes: ['call'] }],
    ['nobody, without a subject', {}, { sub: undefined }, 'not_genuine'],
    ['nobody, by a subject that is no text', { subject_claim: 'id' }, { id: 7 }, 'not_genuine'],
    ['nobody, by a subject of two lines', {}, { sub: 'ada\nroot' }, 'not_genuine'],
    ['nobody, by a subject that is too long', {}, { sub: 'a'.repeat(256) }, 'not_genuine'],
  ])('is %s', async (_name, more, payload, expected) => {
    expect(await meaning(more, payload)).toEqual(expected);
  });
});

describe('a token of an external issuer', () => {
  it('is genuine under each algorithm that is allowed, and under no other', async () => {
    for (const alg of ['ES256', 'PS256', 'EdDSA']) {
      const kid = await issuer.addKey(alg);
      const text = await issuer.sign(claims());
      expect([alg, await statusOf(trusting({ algorithms: alg }), text)]).toEqual([alg, 'genuine']);
      expect([alg, await statusOf(trusting({ algorithms: ['RS256'] }), text)]).toEqual([alg, 'not_genuine']);
      issuer.withdraw(kid);
    }
  });

  it('is of a type that is allowed', async () => {
    const [plain, access, absent] = await Promise.all([
      issuer.sign(claims()),
      issuer.sign(claims(), { typ: 'application/at+JWT' }),
      issuer.sign(claims(), { typ: undefined }),
    ]);
    const byDefault = trusting();
    for (const text of [plain, access, absent]) expect(await statusOf(byDefault, text)).toBe('genuine');
    expect(await statusOf(byDefault, await issuer.sign(claims(), { typ: 'logout+jwt' }))).toBe('not_genuine');
    const strict = trusting({ types: ['at+jwt'] });
    expect(await statusOf(strict, access)).toBe('genuine');
    for (const text of [plain, absent]) expect(await statusOf(strict, text)).toBe('not_genuine');
  });

  it('names one of the audiences that are configured', async () => {
    const tokens = trusting({ audience: ['api://tools', 'api://all'] });
    expect(await statusOf(tokens, await issuer.sign(claims({ aud: ['x', 'api://all'] })))).toBe('genuine');
    for (const aud of ['x', undefined, `${publicUrl}/api/v1`]) {
      expect(await statusOf(tokens, await issuer.sign(claims({ aud })))).toBe('not_genuine');
    }
  });

  it('lives no longer than it may, and no longer than it says', async () => {
    const tokens = trusting({ max_life_seconds: 600 });
    const issuedAt = nowMs / 1_000;
    const long = await issuer.sign(claims({ exp: issuedAt + 601 }));
    expect(await statusOf(tokens, long)).toBe('not_genuine');
    const text = await issuer.sign(claims());
    expect(await statusOf(tokens, text)).toBe('genuine');
    clock.advanceMs(600_000);
    expect(await statusOf(tokens, text)).toBe('expired');
    expect(await statusOf(tokens, long)).not.toBe('genuine');
  });

  it('is asked about by what it claims, and believed by what is verified', async () => {
    const tokens = trusting();
    const foreign = await issuer.sign(claims({ iss: 'https://other.example' }));
    expect(tokens.areOf(foreign)).toBe(false);
    expect(await statusOf(tokens, foreign)).toBe('not_genuine');
    for (const text of ['x', 'a.b.c', 'eyJhbGciOiJub25lIn0.bm8.x']) expect(tokens.areOf(text)).toBe(false);
    expect(tokens.areOf(await issuer.sign(claims()))).toBe(true);
    // Nothing that a token names is ever asked for.
    const named = { jku: `${issuer.iss}/other`, x5u: `${issuer.iss}/other`, jwk: issuer.keys[0], kid: 'unknown' };
    expect(await statusOf(tokens, await issuer.sign(claims(), named))).toBe('not_genuine');
    expect(issuer.reads).toBe(1);
  });
});

describe('an external issuer', () => {
  it('is not the deployment itself', () => {
    const own = JSON.stringify({ acme: { iss: publicUrl, jwks_url: `${publicUrl}/keys` } });
    const issuers = externalIssuersOf(loadEnv(externalIssuersEnvSpec, { EXTERNAL_ISSUERS: own }));
    expect(() => refuseOwnIssuer(issuers, publicUrl)).toThrow(/EXTERNAL_ISSUERS: "iss" of "acme" is PUBLIC_URL/);
    expect(() => refuseOwnIssuer(issuers, 'https://other.example.com')).not.toThrow();
  });
});

describe('the keys of an external issuer', () => {
  it('change without an interruption, and a withdrawn one is good for ten minutes at most', async () => {
    const tokens = trusting({ max_life_seconds: 3_600 });
    const before = await issuer.sign(claims({ exp: nowMs / 1_000 + 3_600 }));
    expect(await statusOf(tokens, before)).toBe('genuine');
    clock.advanceMs(COOL_DOWN_MS);
    const [old = ''] = issuer.keys.map(({ kid }) => kid ?? '');
    await issuer.addKey();
    expect(await statusOf(tokens, await issuer.sign(claims()))).toBe('genuine');
    expect(await statusOf(tokens, before)).toBe('genuine');
    issuer.withdraw(old);
    clock.advanceMs(FRESH_MS);
    expect(await statusOf(tokens, before)).toBe('not_genuine');
    expect(await statusOf(tokens, await issuer.sign(claims()))).toBe('genuine');
  });

  it('are asked for once by all who come together, and once in five seconds by any number of unknown ones', async () => {
    const metrics = createMetrics();
    const tokens = trusting({}, metrics);
    const text = await issuer.sign(claims());
    await Promise.all(Array.from({ length: 20 }, () => tokens.check(text)));
    expect(issuer.reads).toBe(1);
    const unknown = await Promise.all(
      Array.from({ length: 20 }, (_, index) => issuer.sign(claims(), { kid: `k${index}` })),
    );
    for (const one of unknown) expect(await statusOf(tokens, one)).toBe('not_genuine');
    expect(issuer.reads).toBe(1);
    clock.advanceMs(COOL_DOWN_MS);
    for (const one of unknown) expect(await statusOf(tokens, one)).toBe('not_genuine');
    expect(issuer.reads).toBe(2);
    expect(await metrics.metrics()).toContain(
      'identity_external_issuer_key_reads_total{issuer="acme",outcome="read"} 2',
    );
  });

  it('that are known stay good for a day while the issuer is away, and nothing is decided of others', async () => {
    const tokens = trusting({ max_life_seconds: 604_800 });
    const long = { exp: nowMs / 1_000 + 172_800 };
    expect(await statusOf(tokens, await issuer.sign(claims(long)))).toBe('genuine');
    issuer.behave = (_request, response) => response.writeHead(503).end();
    clock.advanceMs(FRESH_MS);
    const reads = issuer.reads;
    expect(await statusOf(tokens, await issuer.sign(claims(long)))).toBe('genuine');
    expect(await statusOf(tokens, await issuer.sign(claims(long), { kid: 'new' }))).toBe('undecided');
    expect(issuer.reads - reads).toBe(1);
    clock.advanceMs(86_400_000);
    const late = await issuer.sign(claims(long));
    expect(await statusOf(tokens, late)).toBe('undecided');
    issuer.behave = undefined;
    clock.advanceMs(COOL_DOWN_MS);
    expect(await statusOf(tokens, late)).toBe('genuine');
  });

  it.each<[string, TestIssuer['behave']]>([
    [
      'leads elsewhere',
      (request, response) =>
        request.url === '/keys'
          ? response.writeHead(302, { location: '/elsewhere' }).end()
          : response.end(JSON.stringify({ keys: issuer.keys })),
    ],
    ['says nothing', () => undefined],
    ['ends in the middle', (_request, response) => response.write('{"keys":[', () => response.destroy())],
    ['is no JSON', (_request, response) => response.end('<html>')],
    ['is no set of keys', (_request, response) => response.end('{"keys":{}}')],
    ['is an empty set', (_request, response) => response.end('{"keys":[]}')],
    [
      'has too many keys',
      (_request, response) => response.end(JSON.stringify({ keys: Array(101).fill({ kty: 'RSA' }) })),
    ],
    ['is too large', (_request, response) => response.end(JSON.stringify({ keys: [{ kty: 'x'.repeat(300_000) }] }))],
  ])('are not to be had where the answer %s', async (_name, behave) => {
    issuer.behave = behave;
    expect(await statusOf(trusting(), await issuer.sign(claims()))).toBe('undecided');
  });

  it('that are unusable or of another kind are as if they were not there', async () => {
    const { kid = '' } = issuer.keys.at(-1) ?? {};
    const odd = [
      { kty: 'RSA', kid, n: '!', e: 'AQAB' },
      { kty: 'oct', kid, k: 'c2VjcmV0' },
      { kty: 'RSA', kid },
    ];
    for (const key of odd) {
      issuer.behave = (_request, response) => response.end(JSON.stringify({ keys: [key] }));
      expect(await statusOf(trusting(), await issuer.sign(claims()))).toBe('not_genuine');
    }
  });
});
