import { ManualClock } from '@capability-router/kernel';
import { TOKEN_EXCHANGE_GRANT, type AccountAssertion } from '@capability-router/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { RunningIdentity, type Answer } from '../../test-support/running-identity.js';
import { MAX_DELEGATED_IDS } from './requested-delegation.js';

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const RESOURCE = 'http://127.0.0.1/api/v1';
const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
  readonly account_id: string;
}
type Pairs = readonly (readonly [string, string])[];

let identity: RunningIdentity;
const clock = new ManualClock(Date.UTC(2026, 0, 15, 10));
let client: Client;
let parent: string;
beforeAll(async () => {
  identity = await RunningIdentity.start(clock);
});
afterAll(() => identity.stop());
beforeEach(async () => {
  client = await registered(await opened());
  parent = await token(client);
});

const ask = (method: 'POST' | 'DELETE', url: string, body?: object): Promise<Answer> =>
  identity.call({ method, url, account: admin, ...(body === undefined ? {} : { body }) });
const dataOf = <T>({ body }: Answer): T => body['data'] as T;

async function opened(): Promise<string> {
  const answer = await ask('POST', '/admin/v1/accounts', { kind: 'formal', name: 'Test', initial_credits: 0 });
  return dataOf<{ account_id: string }>(answer).account_id;
}

async function registered(account_id: string, scopes = ['call', 'read', 'manage']): Promise<Client> {
  const body = { account_id, name: 'planner', scopes, grant_types: ['client_credentials', TOKEN_EXCHANGE_GRANT] };
  const answer = await ask('POST', '/admin/v1/oauth-clients', body);
  expect(answer.status).toBe(201);
  return dataOf<Client>(answer);
}

function send(path: string, form: Pairs, { client_id, client_secret }: Client = client): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
  const text = new URLSearchParams(form.map(([name, value]): [string, string] => [name, value])).toString();
  return identity.call({ method: 'POST', url: `/api/v1/oauth/${path}`, form: text, authorization });
}

async function token(by: Client): Promise<string> {
  const answer = await send('token', [['grant_type', 'client_credentials']], by);
  expect(answer.status).toBe(200);
  return String(answer.body['access_token']);
}

const shown = (subject = parent): Pairs => [
  ['grant_type', TOKEN_EXCHANGE_GRANT],
  ['subject_token', subject],
  ['subject_token_type', ACCESS_TOKEN],
];
const exchange = (more: Pairs = [], subject = parent, by = client): Promise<Answer> =>
  send('token', [...shown(subject), ...more], by);

async function delegated(more: Pairs = [], subject = parent): Promise<string> {
  const answer = await exchange(more, subject);
  expect(answer.status).toBe(200);
  return String(answer.body['access_token']);
}

async function verify(credential: string): Promise<Record<string, unknown>> {
  return (await identity.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } })).body;
}

const constrained: Pairs = [
  ['resource', RESOURCE],
  ['scope', 'call'],
  ['model', 'm-1'],
  ['run_id', 'run-1'],
  ['max_credits', '5'],
  ['tool_ids', 'a.b.c.v1'],
  ['tool_ids', 'a.b.d.v1'],
  ['tool_ids', 'a.b.c.v1'],
  ['provider_ids', 'a'],
  ['expires_in', '300'],
];

describe('the exchange of a token', () => {
  it('gives a delegation token, which is held to what was asked for and never refreshed', async () => {
    const { status, headers, body } = await exchange(constrained);
    const { access_token: text, ...rest } = body;
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store' });
    const constraints = { model: 'm-1', run_id: 'run-1', max_credits: 5 };
    const lists = { tool_ids: ['a.b.c.v1', 'a.b.d.v1'], provider_ids: ['a'] };
    expect(rest).toEqual({
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'call',
      constraints: { ...constraints, ...lists },
    });
    const { jti, exp, act } = decodeJwt(String(text));
    expect(act).toEqual({ sub: client.client_id });
    expect(await verify(String(text))).toEqual({
      valid: true,
      assertion: {
        accountId: client.account_id,
        accountKind: 'formal',
        credentialType: 'delegation_token',
        oauthClientId: client.client_id,
        scopes: ['call'],
        budgets: { delegation: { tokenId: jti, limitMicroCredits: '5000000' } },
        delegation: { model: 'm-1', runId: 'run-1', toolIds: lists.tool_ids, providerIds: ['a'] },
      },
      expiresAt: new Date((exp ?? 0) * 1_000).toISOString(),
      endsWith: [jti, decodeJwt(parent).jti],
      ratePlan: { name: 'formal', perMinute: {} },
    });
    expect((await send('introspect', [['token', String(text)]])).body).toMatchObject({
      active: true,
      scope: 'call',
      constraints: { ...constraints, ...lists },
    });
  });

  it('passes on what the token and the client both have, and never manage', async () => {
    expect((await exchange()).body).toMatchObject({ scope: 'call read', expires_in: 600, constraints: {} });
    const reader = await registered(client.account_id, ['read', 'manage']);
    expect((await exchange([], parent, reader)).body).toMatchObject({ scope: 'read' });
    const manager = await registered(client.account_id, ['manage']);
    for (const [scope, by] of [
      ['manage', client],
      ['admin', client],
      ['call read everything', client],
      ['call', reader],
    ] as const) {
      expect(await exchange([['scope', scope]], parent, by)).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope' },
      });
    }
    expect((await exchange([], parent, manager)).body).toMatchObject({ error: 'invalid_scope' });
  });

  it('never outlives the token that was shown', async () => {
    clock.advanceMs(3_600_000 - 20_000);
    const late = await exchange();
    expect(late.body).toMatchObject({ expires_in: 20 });
    expect(decodeJwt(String(late.body['access_token'])).exp).toBe(decodeJwt(parent).exp);
    clock.advanceMs(20_000);
    expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('is refused for what is no access token of the own account, and for a delegation token, all alike', async () => {
    const stranger = await registered(await opened());
    const revoked = await token(client);
    await send('revoke', [['token', revoked]]);
    const subjects = [await token(stranger), await delegated(), revoked, `${parent}x`, 'sk-none', parent.slice(0, -2)];
    const answers = await Promise.all(subjects.map((subject) => exchange([], subject)));
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      expect(answer.body).toEqual(answers[0]?.body);
    }
  });

  it.each<[string, Pairs]>([
    ['invalid_request', [['max_credits', '0']]],
    ['invalid_request', [['max_credits', '1.5']]],
    ['invalid_request', [['max_credits', '-1']]],
    ['invalid_request', [['max_credits', '1e3']]],
    ['invalid_request', [['max_credits', '1000000001']]],
    ['invalid_request', [['max_credits', '']]],
    [
      'invalid_request',
      [
        ['max_credits', '1'],
        ['max_credits', '2'],
      ],
    ],
    ['invalid_request', [['expires_in', '601']]],
    ['invalid_request', [['expires_in', '0']]],
    ['invalid_request', [['model', '']]],
    ['invalid_request', [['model', 'a\nb']]],
    ['invalid_request', [['run_id', 'r'.repeat(201)]]],
    ['invalid_request', [['tool_ids', '']]],
    ['invalid_request', [['tool_ids', 'everything']]],
    ['invalid_request', [['provider_ids', ' ']]],
    [
      'invalid_request',
      Array.from({ length: MAX_DELEGATED_IDS + 1 }, (_, i) => ['tool_ids', `a.b.c.v${i + 1}`] as const),
    ],
    ['invalid_request', Array.from({ length: 60 }, (_, i) => ['provider_ids', `${i}`.padEnd(150, 'p')] as const)],
    ['invalid_request', [['actor_token', 'x']]],
    ['invalid_request', [['requested_token_type', 'urn:ietf:params:oauth:token-type:refresh_token']]],
    ['invalid_target', [['resource', 'https://another.example']]],
    ['invalid_target', [['audience', 'https://another.example']]],
  ])('answers %s to %j', async (error, more) => {
    expect(await exchange(more)).toMatchObject({ status: 400, body: { error, error_description: expect.any(String) } });
  });

  it('needs every parameter of the protocol, and a client that is registered for it', async () => {
    for (const missing of ['subject_token', 'subject_token_type']) {
      const answer = await send(
        'token',
        shown().filter(([name]) => name !== missing),
      );
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
    const jwt = shown().map(
      ([name, value]) => [name, value === ACCESS_TOKEN ? value.replace('access_', 'refresh_') : value] as const,
    );
    expect((await send('token', jwt)).body).toMatchObject({ error: 'invalid_request' });
    const other = { account_id: client.account_id, name: 'batch', scopes: ['call'] };
    const unregistered = dataOf<Client>(await ask('POST', '/admin/v1/oauth-clients', other));
    expect((await exchange([], parent, unregistered)).body).toMatchObject({ error: 'unauthorized_client' });
    expect(await exchange([], parent, { ...client, client_secret: 'cs-x' })).toMatchObject({ status: 401 });
    const open = { ...other, token_endpoint_auth_method: 'none', grant_types: [TOKEN_EXCHANGE_GRANT] };
    expect((await ask('POST', '/admin/v1/oauth-clients', open)).status).toBe(422);
  });

  it('gives as many ids as a list may have', async () => {
    const ids = Array.from({ length: MAX_DELEGATED_IDS }, (_, i) => `provider.resource.action${i}.v1`);
    const { body } = await exchange(ids.map((id) => ['tool_ids', id] as const));
    expect(body['constraints']).toEqual({ tool_ids: ids });
  });
});

describe('a delegation token', () => {
  it('ends with its own revocation, which leaves its parent alone', async () => {
    const text = await delegated();
    await send('revoke', [['token', text]]);
    expect(await verify(text)).toEqual({ valid: false });
    expect(await verify(parent)).toMatchObject({ valid: true });
  });

  it('ends with the token that was shown for it', async () => {
    const text = await delegated(constrained);
    await send('revoke', [['token', parent]]);
    expect(await verify(text)).toEqual({ valid: false });
    expect((await send('introspect', [['token', text]])).body).toEqual({ active: false });
  });

  it("ends with its client, with its parent's, and with the account", async () => {
    const another = await registered(client.account_id);
    const [own, ofOther, ofAccount] = [
      await delegated(),
      await delegated([], await token(another)),
      await token(client),
    ];
    const inAccount = await delegated([], ofAccount);
    const { jti } = decodeJwt(ofOther);
    expect(await verify(ofOther)).toMatchObject({ endsWith: expect.arrayContaining([jti, another.client_id]) });
    await ask('DELETE', `/admin/v1/oauth-clients/${another.client_id}`);
    expect(await verify(ofOther)).toEqual({ valid: false });
    expect(await verify(own)).toMatchObject({ valid: true });
    await ask('POST', `/admin/v1/accounts/${client.account_id}:suspend`);
    expect(await verify(inAccount)).toEqual({ valid: false });
    await ask('POST', `/admin/v1/accounts/${client.account_id}:resume`);
    await ask('DELETE', `/admin/v1/oauth-clients/${client.client_id}`);
    expect(await verify(own)).toEqual({ valid: false });
  });

  it('goes with the row of its parent, and never becomes a token without limits', async () => {
    const text = await delegated(constrained);
    await identity.database.pool.query('DELETE FROM oauth_tokens WHERE token_id = $1', [decodeJwt(parent).jti]);
    expect(await verify(text)).toEqual({ valid: false });
  });
});
