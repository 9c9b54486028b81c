import { TOKEN_EXCHANGE_GRANT, type AccountAssertion } from '@capability-router/contracts';
import { API_KEY_SECRET_LENGTH, BASE62, formatApiKey, ManualClock } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomText } from './api-keys/random-text.js';
import { identityRoutes, nameOf } from './test-support/bad-input/routes-of.js';
import { ClaimingIdentity, dataOf, type Trial } from './test-support/claiming-identity.js';
import { givenConsent } from './test-support/given-consent.js';
import type { Answer, Call } from './test-support/running-identity.js';
import { StatementLog } from './test-support/statement-log.js';

const clock = new ManualClock(Date.UTC(2026, 0, 15, 10));
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;
const UNKNOWN_ID = '0198f3a0-0000-7000-8000-000000000000';
const TAKEN = 'taken@example.org';

interface Owner {
  readonly assertion: AccountAssertion;
  readonly key: string;
  readonly project: string;
  readonly client: string;
  readonly consent: string;
  readonly secret: string;
  readonly token: string;
}

let service: ClaimingIdentity;
let anna: Owner;
/** Whose things Anna asks about. */
let otto: Owner;
let terminal: string;
/** Keys that were good once. */
let [revoked, ofSuspended] = ['', ''];

const call = (request: Call): Promise<Answer> => service.identity.call({ clientAddress: '192.0.2.7', ...request });
const asAdmin = async (url: string, body: object): Promise<Record<string, string>> =>
  dataOf(await call({ method: 'POST', url, body, account: admin })) as Record<string, string>;
const post = (path: string, form: Record<string, string>): Promise<Answer> => call({ method: 'POST', url: path, form });

async function open(name: string, email: string): Promise<Owner> {
  const { account_id: id = '' } = await asAdmin('/admin/v1/accounts', { kind: 'formal', name, email });
  const scopes = ['call', 'read', 'manage'];
  const { api_key: key = '', api_key_id: apiKeyId = '' } = await asAdmin(`/admin/v1/accounts/${id}/api-keys`, {
    name,
    scopes,
  });
  const { project_id: project = '' } = await asAdmin(`/admin/v1/accounts/${id}/projects`, { name });
  const grants = { scopes: ['call', 'read'], grant_types: ['client_credentials', TOKEN_EXCHANGE_GRANT] };
  const registered = await asAdmin('/admin/v1/oauth-clients', { account_id: id, name, ...grants });
  const { client_id: client = '', client_secret: secret = '' } = registered;
  const login = { client_id: client, client_secret: secret };
  const { body } = await post('/api/v1/oauth/token', { grant_type: 'client_credentials', ...login });
  const assertion = {
    accountId: id,
    accountKind: 'formal',
    credentialType: 'api_key',
    apiKeyId,
    scopes: ['call', 'read', 'manage'],
  } as const satisfies AccountAssertion;
  const whose = { clientId: client, accountId: id, nowMs: clock.nowMs() };
  const { familyId: consent } = await givenConsent(service.identity.database.pool, whose);
  return { assertion, key, project, client, consent, secret, token: String(body['access_token']) };
}

beforeAll(async () => {
  service = await ClaimingIdentity.start(clock, { CLAIM_RESEND_SECONDS: '1', CLAIM_CODES_PER_DAY: '100' });
  [anna, otto] = [await open('Anna', 'anna@example.org'), await open('Otto', TAKEN)];
  const client = { account_id: otto.assertion.accountId, name: 'terminal', scopes: ['read'] };
  terminal =
    (await asAdmin('/admin/v1/oauth-clients', { ...client, token_endpoint_auth_method: 'none' }))['client_id'] ?? '';
  const gone = await open('Gone', 'gone@example.org');
  [revoked, ofSuspended] = [gone.key, (await open('Suspended', 'suspended@example.org')).key];
  const url = `/admin/v1/api-keys/${gone.assertion.apiKeyId ?? ''}`;
  await call({ method: 'DELETE', url, account: admin });
  const listed = dataOf(await call({ method: 'GET', url: '/admin/v1/accounts?name=suspended', account: admin }));
  const [{ account_id: suspended }] = listed['items'] as unknown as [{ account_id: string }];
  await call({ method: 'POST', url: `/admin/v1/accounts/${suspended}:suspend`, account: admin });
});
afterAll(() => service.stop());

const statements = new StatementLog();
beforeAll(() => statements.begin());
afterAll(() => statements.end());

const volatile = /^(?:date|x-request-id)$/;

/** An answer with nothing left in it that is of the request alone: what was sent, ids, times. */
function shapeOf({ status, headers, text }: Answer, sent: readonly string[]): unknown {
  const plain = sent
    .filter((value) => value !== '')
    .reduce((rest, value) => rest.replaceAll(value, '<sent>').replaceAll(encodeURIComponent(value), '<sent>'), text)
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
    .replaceAll(/\b[a-z]\*+@/g, '<masked>@');
  const kept = Object.entries(headers).filter(([name]) => !volatile.test(name));
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, name === 'content-length' ? '' : value])),
    plain,
  };
}

interface Pair {
  readonly what: string;
  /** The same request, about something that there is and about something that there is not. */
  readonly ask: (isThere: boolean) => Promise<{ call: () => Promise<Answer>; sent: readonly string[] }>;
}

async function expectAlike({ ask }: Pair): Promise<void> {
  const [there, not] = [await ask(true), await ask(false)];
  const [known, unknown] = [await statements.of(there.call), await statements.of(not.call)];
  expect(shapeOf(known.answer, there.sent)).toEqual(shapeOf(unknown.answer, not.sent));
  expect(known.answer.status).toBeLessThan(500);
  expect(known.statements).toEqual(unknown.statements);
  expect(known.statements.length).toBeGreaterThan(0);
}

const trial = async (): Promise<Trial> => service.register();
const strange = (): string => `nobody${Math.round(Math.random() * 1e9)}@example.org`;

async function waitingCode(): Promise<string> {
  return String((await post('/api/v1/oauth/device/authorize', { client_id: terminal })).body['user_code']);
}

const emails: Pair[] = [
  {
    what: 'claim, an address with an account',
    ask: async (isThere) => {
      const [{ claimCode }, email] = [await trial(), isThere ? TAKEN : strange()];
      return { call: () => service.ask('claim', { claim_code: claimCode, email }), sent: [email] };
    },
  },
  {
    what: 'claim-verify, an address with an account',
    ask: async (isThere) => {
      const [one, email] = [await trial(), isThere ? TAKEN : strange()];
      await service.claim(one, email);
      return { call: () => service.verify(one, email, '000000'), sent: [email] };
    },
  },
  {
    what: 'the device page, a mail to an address with an account',
    ask: async (isThere) => {
      const [userCode, email] = [await waitingCode(), isThere ? TAKEN : strange()];
      return { call: () => post('/device/email', { user_code: userCode, email }), sent: [email, userCode] };
    },
  },
  {
    what: 'the device page, a wrong code of an address with an account',
    ask: async (isThere) => {
      const [userCode, email] = [await waitingCode(), isThere ? TAKEN : strange()];
      await post('/device/email', { user_code: userCode, email });
      const form = { user_code: userCode, email, code: '00000x' };
      return { call: () => post('/device/email-code', form), sent: [email, userCode] };
    },
  },
];

describe('an e-mail address that has an account', () => {
  it.each(emails.map((pair) => [pair.what, pair] as const))(
    '%s: answered as any other, by the same work',
    async (_what, pair) => {
      await expectAlike(pair);
    },
  );
});

const nobody = `client_${'0'.repeat(32)}`;
const wrongSecret = 'cs-wrong';
const form =
  (path: string, there: () => Record<string, string>, not: () => Record<string, string>): Pair['ask'] =>
  async (isThere) => {
    const sent = isThere ? there() : not();
    return { call: () => post(`/api/v1/oauth/${path}`, sent), sent: Object.values(sent) };
  };
const login = () => ({ client_id: anna.client, client_secret: anna.secret });
/** A token as long and as well made as ours, which nobody signed. */
const forged = (): string => `${otto.token.slice(0, otto.token.lastIndexOf('.'))}.${'A'.repeat(342)}`;
const subject = {
  grant_type: TOKEN_EXCHANGE_GRANT,
  subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
};

const secrets: Pair[] = [
  ...['token', 'introspect', 'revoke', 'device/authorize'].map((path) => ({
    what: `oauth/${path}, a client that there is`,
    ask: form(
      path,
      () => ({ grant_type: 'client_credentials', token: 'x', client_id: otto.client, client_secret: wrongSecret }),
      () => ({ grant_type: 'client_credentials', token: 'x', client_id: nobody, client_secret: wrongSecret }),
    ),
  })),
  {
    what: 'internal/credentials:verify, a key that was revoked',
    ask: (isThere) => credential(isThere ? revoked : unknownKey()),
  },
  {
    what: 'internal/credentials:verify, a key of a suspended account',
    ask: (isThere) => credential(isThere ? ofSuspended : unknownKey()),
  },
  {
    what: 'the device page, a key that was revoked',
    ask: async (isThere) => {
      const [userCode, key] = [await waitingCode(), isThere ? revoked : unknownKey()];
      return { call: () => post('/device/key', { user_code: userCode, api_key: key }), sent: [userCode, key] };
    },
  },
];

/** It has the checksum of a key. */
const unknownKey = (): string => formatApiKey(randomText(BASE62, API_KEY_SECRET_LENGTH));
const credential = (text: string): ReturnType<Pair['ask']> => {
  const body = { credential: text };
  return Promise.resolve({
    call: () => call({ method: 'POST', url: '/internal/credentials:verify', body }),
    sent: [text],
  });
};

describe('a client or a key that there is', () => {
  it.each(secrets.map((pair) => [pair.what, pair] as const))(
    '%s: refused as one that there is not, by the same work',
    async (_what, pair) => {
      await expectAlike(pair);
    },
  );
});

/** A signature that is no one's is found out without the database, and only whoever holds a genuine token can ask about it. */
const tokens: [string, Pair['ask']][] = [
  [
    'introspect',
    form(
      'introspect',
      () => ({ ...login(), token: otto.token }),
      () => ({ ...login(), token: forged() }),
    ),
  ],
  [
    'revoke',
    form(
      'revoke',
      () => ({ ...login(), token: otto.token }),
      () => ({ ...login(), token: forged() }),
    ),
  ],
  [
    'token exchange',
    form(
      'token',
      () => ({ ...login(), ...subject, subject_token: otto.token }),
      () => ({ ...login(), ...subject, subject_token: forged() }),
    ),
  ],
];

describe('a token of another account', () => {
  it.each(tokens)('%s: answered as one that is none', async (_what, ask) => {
    const [there, not] = [await ask(true), await ask(false)];
    expect(shapeOf(await there.call(), there.sent)).toEqual(shapeOf(await not.call(), not.sent));
    expect(
      (await call({ method: 'POST', url: '/internal/credentials:verify', body: { credential: otto.token } })).body[
        'valid'
      ],
    ).toBe(true);
  });
});

const own = identityRoutes().filter(({ path }) => path.startsWith('/api/v1/auth/') && /:[a-z]/i.test(path));

describe("another account's id", () => {
  it.each(own.map((route) => [nameOf(route), route] as const))(
    '%s: answered as one that there is not, by the same work',
    async (_name, { method, path, reads }) => {
      const ids = (isThere: boolean): Record<string, string> => {
        const key = isThere ? (otto.assertion.apiKeyId ?? '') : UNKNOWN_ID;
        const [projectId, consentId] = isThere ? [otto.project, otto.consent] : [UNKNOWN_ID, UNKNOWN_ID];
        return { apiKeyId: key, apiKeyIdAndAction: `${key}:rotate`, projectId, consentId };
      };
      const ask: Pair['ask'] = (isThere) => {
        const url = path.replaceAll(/:(\w+)/g, (_all, name: string) => {
          const id = ids(isThere)[name];
          if (id === undefined) throw new Error(`say what :${name} is of another account`);
          return id;
        });
        const request = { method, url, account: anna.assertion, ...(reads === 'json' ? { body: {} } : {}) };
        return Promise.resolve({ call: () => call(request), sent: Object.values(ids(isThere)) });
      };
      await expectAlike({ what: path, ask });
      expect((await (await ask(true)).call()).status).toBe(404);
    },
  );

  it('is looked for on some routes', () => expect(own.length).toBeGreaterThan(5));
});
