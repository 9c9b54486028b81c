/**
 * OWASP API5:2023. Attacked: what only others may do. That each route wants its scope is in `authentication` and in `scopes.unit` of
 * the gateway, that the interior has no door in `operator`; here are administration by a key that may do all that an account can, and
 * ways around the door.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from '../support/accounts.js';
import { remainingCredits } from '../support/audit.js';
import { call, send } from '../support/http.js';

const NOBODY = '00000000-0000-7000-8000-000000000000';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

describe('administration', () => {
  it.each<[string, (id: string) => string, object | undefined]>([
    ['POST', () => '/accounts', { kind: 'formal', name: 'mine', initial_credits: 1_000_000 }],
    ['GET', () => '/accounts', undefined],
    ['POST', (id) => `/accounts/${id}/api-keys`, { name: 'mine', scopes: ['admin'] }],
    ['POST', (id) => `/accounts/${id}/grants`, { amount_credits: 1_000, kind: 'purchased', reference: 'r' }],
    ['POST', (id) => `/accounts/${id}/corrections`, { amount_credits: 1_000, reason: 'r' }],
    ['POST', (id) => `/accounts/${id}/refunds`, { execution_id: 'x' }],
    ['PUT', () => '/providers/mine', { provider_id: 'mine', tools: [] }],
    ['PUT', () => '/capabilities/mine', {}],
    ['POST', () => '/catalog:import', {}],
    ['POST', () => '/sources/openapi', { url: 'https://a.example/openapi.json' }],
    ['POST', () => '/tools/formula.expression.evaluate.v1:retire', {}],
    ['GET', () => '/ledger-entries', undefined],
    ['GET', () => '/exceptions', undefined],
    ['POST', () => '/usage-events:import', {}],
    ['GET', () => '/provider-credentials', undefined],
    ['DELETE', (id) => `/accounts/${id}`, undefined],
    ['DELETE', () => `/api-keys/${NOBODY}`, undefined],
    ['PUT', () => '/rate-limit-plans/mine', {}],
    ['POST', () => '/oauth-signing-keys:rotate', undefined],
    ['GET', () => '/security-log', undefined],
  ])('is closed to a key with every scope of an account: %s %s', async (method, pathOf, body) => {
    const options = { key: account.key, ...(body === undefined ? {} : { body }) };
    const reply = await send(method, `/admin/v1${pathOf(account.accountId)}`, options);
    expect(reply.status).toBe(403);
  });

  it('is not reached by a detour', async () => {
    const paths = [
      '/api/v1/../../admin/v1/accounts',
      '/api/v1/%2e%2e/%2e%2e/admin/v1/accounts',
      '/api/v1/admin/v1/accounts',
      '/api/v1/auth/credits/..;/..;/..;/..;/admin/v1/accounts',
      '/ADMIN/v1/accounts',
      '/admin%2Fv1%2Faccounts',
      '/admin/v1/accounts/',
      '/admin/v1/./accounts',
      '/admin/v2/accounts',
      '/admin/accounts',
    ];
    for (const path of paths) {
      const { status } = await send('GET', path, { key: account.key });
      expect({ path, refused: status === 403 || status === 404 || status === 400 }).toEqual({ path, refused: true });
    }
  });

  it('is not reached by a header that names another path, another method or another caller', async () => {
    const headers = {
      'x-original-url': '/admin/v1/accounts',
      'x-rewrite-url': '/admin/v1/accounts',
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
      'x-forwarded-for': '127.0.0.1',
      'x-account-assertion': 'e30.e30.',
      'x-caller-authorization': 'Bearer mine',
      'x-client-ip': '127.0.0.1',
      'x-account-id': account.accountId,
    };
    expect((await send('GET', '/admin/v1/accounts', { key: account.key, headers })).status).toBe(403);
    // It is the read that it says to be, of the caller's own.
    expect((await call('GET', `/auth/api-keys`, { key: account.key, headers })).status).toBe(200);
    expect((await call('GET', '/auth/credits', { key: account.key, headers })).status).toBe(200);
    expect((await send('GET', '/api/v1/auth/credits', { headers })).status).toBe(401);
  });

  it('has changed nothing by all of that', async () => {
    expect(await remainingCredits(account.key)).toBe(account.initialCredits);
  });
});
