import { ManualClock } from '@capability-router/kernel';
import type { AccountAssertion } from '@capability-router/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const admin = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
} as const satisfies AccountAssertion;

let identity: RunningIdentity;
let id = '';
let secret = '';
beforeAll(async () => {
  identity = await RunningIdentity.start(new ManualClock(Date.UTC(2026, 0, 15, 10)));
  const ask = async (url: string, body: object): Promise<Record<string, string>> =>
    (await identity.call({ method: 'POST', url, body, account: admin })).body['data'] as Record<string, string>;
  const { account_id } = await ask('/admin/v1/accounts', { kind: 'formal', name: 'Test', initial_credits: 0 });
  const made = await ask('/admin/v1/oauth-clients', { account_id, name: 'batch', scopes: ['read'] });
  [id, secret] = [made['client_id'] ?? '', made['client_secret'] ?? ''];
});
afterAll(() => identity.stop());

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

const send = (form: string | Record<string, string>, authorization?: string): Promise<Answer> =>
  identity.call({ method: 'POST', url: '/api/v1/oauth/token', form, ...(authorization && { authorization }) });

const grant = { grant_type: 'client_credentials' };

describe('a request for a token', () => {
  it('shows the secret in the header or in the form, in any case of the scheme', async () => {
    for (const answer of [
      await send(grant, basic(id, secret)),
      await send(grant, basic(id, secret).replace('Basic', 'basic')),
      await send({ ...grant, client_id: id, client_secret: secret }),
    ]) {
      expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 3_600, scope: 'read' } });
      expect(answer.body).not.toHaveProperty('refresh_token');
    }
  });

  it('is refused alike whatever is wrong with its client', async () => {
    const nobody = `client_${'0'.repeat(32)}`;
    const wrong: [Record<string, string>, string?][] = [
      [grant],
      [{ ...grant, client_id: id }],
      [{ ...grant, client_id: id, client_secret: `${secret}x` }],
      [{ ...grant, client_id: nobody, client_secret: secret }],
      [grant, basic(id, '')],
      [grant, basic(nobody, secret)],
      [grant, `Basic ${id}:${secret}`],
      [grant, 'Basic'],
      // Two headers, as the gateway passes them on.
      [grant, `${basic(id, secret)}, ${basic(id, secret)}`],
      [grant, `Bearer ${secret}`],
      [grant, basic('%zz', secret)],
      [{ ...grant, client_id: nobody }, basic(id, secret)],
    ];
    const answers = await Promise.all(wrong.map(([form, header]) => send(form, header)));
    for (const { status, headers, body } of answers) {
      expect({ status, body }).toEqual({ status: 401, body: answers[0]?.body });
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'www-authenticate': 'Basic realm="oauth"' });
      expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
      expect(body['error']).toBe('invalid_client');
    }
  });

  const refused: [string, string | Record<string, string>, string][] = [
    ['no grant type', {}, 'invalid_request'],
    ['an empty grant type', { grant_type: '' }, 'invalid_request'],
    ['an unknown grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['a grant type in another case', { grant_type: 'CLIENT_CREDENTIALS' }, 'unsupported_grant_type'],
    ['a parameter twice', 'grant_type=client_credentials&scope=read&scope=read', 'invalid_request'],
    ['a scope that the client lacks', { ...grant, scope: 'read manage' }, 'invalid_scope'],
    ['the scope of administrators', { ...grant, scope: 'admin' }, 'invalid_scope'],
    ['an unknown scope', { ...grant, scope: 'READ' }, 'invalid_scope'],
    ['scopes of nothing but spaces', { ...grant, scope: '  ' }, 'invalid_scope'],
    ['another resource', { ...grant, resource: 'https://other.example/' }, 'invalid_target'],
    ['the secret in two places', { ...grant, client_secret: 'x' }, 'invalid_request'],
    ['a form that is too large', { ...grant, scope: 'x'.repeat(20_000) }, 'invalid_request'],
  ];
  it.each(refused)('with %s is refused in the words of the protocol', async (_what, form, error) => {
    const answer = await send(form, basic(id, secret));
    expect(answer).toMatchObject({ status: 400, body: { error }, headers: { 'cache-control': 'no-store' } });
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description']);
  });

  it('needs the gateway', async () => {
    const url = '/api/v1/oauth/token';
    expect((await identity.call({ method: 'POST', url, form: grant, as: 'none' })).status).toBe(401);
    expect((await identity.call({ method: 'POST', url, form: grant, as: 'billing' })).status).toBe(403);
  });
});

describe('a client', () => {
  it('is registered by administrators alone, with scopes that tokens can have', async () => {
    const url = '/admin/v1/oauth-clients';
    const body = { account_id: `acc_${'b'.repeat(32)}`, name: 'x', scopes: ['read'] };
    const ask = (sent: unknown, account: AccountAssertion = admin) =>
      identity.call({ method: 'POST', url, body: sent, account });
    expect((await ask(body, { ...admin, scopes: ['manage'] })).status).toBe(403);
    expect((await ask(body)).status).toBe(404);
    for (const wrong of [
      { ...body, scopes: ['admin'] },
      { ...body, scopes: [] },
      { ...body, name: '' },
      { ...body, account_id: 'x' },
      { ...body, colour: 'red' },
      { name: 'x', scopes: ['read'] },
    ]) {
      expect((await ask(wrong)).status).toBe(422);
    }
    const gone = { method: 'DELETE', url: `${url}/client_${'0'.repeat(32)}`, account: admin } as const;
    expect((await identity.call(gone)).status).toBe(404);
  });
});
