import { parseCredits } from '@capability-router/kernel';
import { describe, expect, it } from '@jest/globals';
import { externalIssuersEnvSpec, externalIssuersOf, type ExternalIssuer } from './external-issuers.js';
import { ConfigError, loadEnv } from './load-env.js';

const acme = { iss: 'https://login.acme.example/', jwks_url: 'https://login.acme.example/keys' };
const load = (issuers: unknown, more: Record<string, string> = {}): readonly ExternalIssuer[] =>
  externalIssuersOf(loadEnv(externalIssuersEnvSpec, { EXTERNAL_ISSUERS: JSON.stringify(issuers), ...more }));

function problemOf(more: object, name = 'acme'): string {
  try {
    load({ [name]: { ...acme, ...more } });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems['EXTERNAL_ISSUERS'] ?? '';
    throw error;
  }
  return 'none';
}

describe('EXTERNAL_ISSUERS', () => {
  it('trusts nobody where it is absent', () => {
    expect(externalIssuersOf(loadEnv(externalIssuersEnvSpec, {}))).toEqual([]);
  });

  it('opens nothing and gives little unless it says so', () => {
    expect(load({ acme })).toEqual([
      {
        name: 'acme',
        iss: acme.iss,
        jwksUrl: acme.jwks_url,
        audiences: [],
        algorithms: ['RS256', 'ES256'],
        types: ['at+jwt', 'jwt', ''],
        clockSkewSeconds: 30,
        maxLifeSeconds: 86_400,
        subjectClaim: ['sub'],
        scopesClaim: ['scope'],
        defaultScopes: [],
        maxScopes: ['call', 'read'],
      },
    ]);
  });

  it('reads everything that there is to say', () => {
    const whole = {
      ...acme,
      audience: ['api://tools', 'api://all'],
      algorithms: 'ES256',
      types: ['application/AT+JWT'],
      clock_skew_seconds: 0,
      max_life_seconds: 3_600,
      subject_claim: 'oid',
      scopes_claim: ['realm_access', 'roles'],
      scope_map: { analyst: 'call', lead: ['call', 'manage'] },
      default_scopes: ['call'],
      max_scopes: ['call', 'manage'],
      open_accounts: { plan: 'gold', welcome_credits: 2.5, per_day: 10 },
    };
    expect(load({ acme: whole })[0]).toMatchObject({
      audiences: ['api://tools', 'api://all'],
      algorithms: ['ES256'],
      types: ['at+jwt'],
      clockSkewSeconds: 0,
      maxLifeSeconds: 3_600,
      subjectClaim: ['oid'],
      scopesClaim: ['realm_access', 'roles'],
      scopeMap: new Map([
        ['analyst', ['call']],
        ['lead', ['call', 'manage']],
      ]),
      defaultScopes: ['call'],
      maxScopes: ['call', 'manage'],
      openAccounts: { plan: 'gold', welcomeCredits: parseCredits('2.5'), perDay: 10 },
    });
  });

  it('takes http on this machine only, and only where that is allowed', () => {
    const local = { acme: { iss: 'http://127.0.0.1:9000', jwks_url: 'http://localhost:9000/keys' } };
    expect(() => load(local)).toThrow(/"iss" of "acme" must be a URL that begins with https/);
    const allowed = { EXTERNAL_ISSUERS_LOOPBACK_HTTP: 'true' };
    expect(load(local, allowed)).toHaveLength(1);
    expect(() => load({ acme: { ...acme, jwks_url: 'http://keys.example' } }, allowed)).toThrow(ConfigError);
    expect(() => load({ acme: { ...acme, jwks_url: 'http://127.0.0.1.example' } }, allowed)).toThrow(ConfigError);
  });

  it.each<[string, object, string]>([
    ['no issuer', { iss: undefined }, '"iss" of "acme" is missing'],
    ['no address of keys', { jwks_url: undefined }, '"jwks_url" of "acme" is missing'],
    ['an address that is none', { jwks_url: 'keys' }, '"jwks_url" of "acme" must be a URL that begins with https://'],
    [
      'an address with a password',
      { jwks_url: 'https://a:b@keys.example' },
      'without a user, a password and a fragment',
    ],
    ['a shared secret', { algorithms: ['HS256'] }, '"algorithms" of "acme" must be some of RS256, RS384'],
    ['no signature', { algorithms: 'none' }, '"algorithms" of "acme" must be some of'],
    ['no algorithm', { algorithms: [] }, '"algorithms" of "acme" must be a text, or a list of 1 to 100'],
    ['the scope admin', { max_scopes: ['admin'] }, '"max_scopes" of "acme" must be some of call, read, manage'],
    [
      'a default beyond the most',
      { default_scopes: ['manage'] },
      '"default_scopes" of "acme" must be some of call, read',
    ],
    [
      'a role beyond the most',
      { scope_map: { lead: ['manage'] } },
      '"lead" of "scope_map" of "acme" must be some of call, read',
    ],
    ['an empty audience', { audience: '' }, '"audience" of "acme" must be a text'],
    [
      'a large skew',
      { clock_skew_seconds: 121 },
      '"clock_skew_seconds" of "acme" must be a whole number from 0 to 120',
    ],
    [
      'a long life',
      { max_life_seconds: 604_801 },
      '"max_life_seconds" of "acme" must be a whole number from 60 to 604800',
    ],
    ['a long path', { subject_claim: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'or a path of at most 5 names'],
    ['an account that is none', { account_id: 'x' }, '"account_id" of "acme" must be the id of an account'],
    [
      'two kinds of accounts',
      { account_id: `acc_${'a'.repeat(32)}`, open_accounts: {} },
      '"open_accounts" of "acme" cannot stand beside "account_id"',
    ],
    ['a misspelt member', { audiences: ['x'] }, '"acme" has an unknown member "audiences"; known are iss, '],
    [
      'a misspelt member of the opening',
      { open_accounts: { credits: 5 } },
      '"open_accounts" of "acme" has an unknown member "credits"',
    ],
    [
      'negative credits',
      { open_accounts: { welcome_credits: -1 } },
      '"welcome_credits" of "open_accounts" of "acme" must be a number of credits',
    ],
    ['too many decimals', { open_accounts: { welcome_credits: 0.0000001 } }, 'with at most six decimals'],
    [
      'a plan that is no name',
      { open_accounts: { plan: 'Gold!' } },
      '"plan" of "open_accounts" of "acme" must be the name',
    ],
  ])('refuses %s in one sentence', (_name, more, problem) => {
    expect(problemOf(more)).toContain(problem);
    expect(problemOf(more)).not.toContain('\n');
  });

  it('refuses names that are none, one issuer twice, and too many', () => {
    expect(problemOf({}, 'Acme Inc')).toContain('"Acme Inc" must be a name of lower-case letters');
    expect(() => load({ one: acme, two: acme })).toThrow('has the same "iss" for "one" and "two"');
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`a${index}`, { ...acme, iss: `https://a${index}.example` }]),
    );
    expect(() => load(many)).toThrow('must name at most 20 issuers, names 21');
    expect(() => load({ acme: 5 })).toThrow('"acme" must be a JSON object');
    expect(() => load([])).toThrow('must be a JSON object');
  });
});
