import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, newKey, type TestAccount } from './support/accounts.js';
import { call, send } from './support/http.js';
import { asObject, asString } from './support/json.js';

/**
 * Statuses of the OpenAPI document that no recording and no other spec of acceptance has. `documented-statuses.unit` of the gateway
 * holds the list of all of them.
 */

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

describe('a query that is not as it must be', () => {
  it('is 400 by a date that is none, in the feed of the audit', async () => {
    const reply = await call('GET', '/auth/usage/history/v2/summary?start_date=yesterday', { key: account.key });
    expect([reply.status, reply.json['status_code']]).toEqual([400, -7]);
  });

  it('is 422 by a parameter that comes twice, where the ledger is compared with the audit', async () => {
    const path = '/auth/credits/ledger-readiness?start_date=2026-01-01&start_date=2026-01-02';
    const reply = await call('GET', path, { key: account.key });
    expect([reply.status, reply.json['detail']]).toEqual([
      422,
      [expect.objectContaining({ loc: ['query', 'start_date'] })],
    ]);
  });
});

describe('a key that is revoked', () => {
  it.each(['PUT', 'DELETE'])('is 409 to %s, which would move it between projects', async (method) => {
    const made = await call('POST', '/auth/projects', { key: account.key, body: { name: 'research' } });
    const projectId = asString(asObject(made.json['data'])['project_id'], 'project_id');
    const { keyId } = await newKey(account.accountId);
    expect((await call('DELETE', `/auth/api-keys/${keyId}`, { key: account.key })).status).toBe(200);
    const reply = await call(method, `/auth/projects/${projectId}/api-keys/${keyId}`, { key: account.key });
    expect([reply.status, reply.json['message']]).toEqual([409, 'The key is revoked.']);
  });
});

describe.each(['/oauth/device/authorize', '/oauth/introspect', '/oauth/revoke'])('%s', (path) => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('is 400 to a body that is no form', async () => {
    const reply = await send('POST', `/api/v1${path}`, { body: {} });
    expect([reply.status, reply.json['error']]).toEqual([400, 'invalid_request']);
  });

  it('is 401 to a client that there is not', async () => {
    const rawBody = 'client_id=nobody&client_secret=guessed&token=x';
    const reply = await send('POST', `/api/v1${path}`, { headers: form, rawBody });
    expect([reply.status, reply.json['error']]).toEqual([401, 'invalid_client']);
  });
});
