import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { adminKey } from './support/environment.js';
import { send } from './support/http.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const create = { kind: 'formal', name: 'somebody' };

describe('the operator’s endpoints', () => {
  it('are closed to a key without the admin scope', async () => {
    const reply = await send('POST', '/admin/v1/accounts', { key: account.key, body: create });
    expect(reply.status).toBe(403);
    expect(reply.json).toEqual(expect.objectContaining({ status: 'failure' }));
  });

  it('are closed to a request without a key', async () => {
    const reply = await send('POST', '/admin/v1/accounts', { body: create });
    expect(reply.status).toBe(401);
  });

  it.each([
    ['no kind', { name: 'x' }],
    ['an unknown kind', { kind: 'royal', name: 'x' }],
    ['negative credits', { ...create, initial_credits: -1 }],
    ['seven decimals', { ...create, initial_credits: 0.0000001 }],
    ['credits as text', { ...create, initial_credits: '5' }],
  ])('answer 422 to an account with %s', async (_what, body) => {
    const reply = await send('POST', '/admin/v1/accounts', { key: adminKey, body });
    expect(reply.status).toBe(422);
  });

  it('answer 404 to keys and accounts that never were', async () => {
    const key = { name: 'x', scopes: ['read'] };
    const none = `acc_${'0'.repeat(32)}`;
    const paths = [`/admin/v1/accounts/${none}/api-keys`, '/admin/v1/accounts/nobody/api-keys'];
    for (const path of paths) expect((await send('POST', path, { key: adminKey, body: key })).status).toBe(404);
    const revoked = await send('DELETE', '/admin/v1/api-keys/00000000-0000-7000-8000-000000000000', { key: adminKey });
    expect(revoked.status).toBe(404);
  });
});

describe('the public listener', () => {
  it.each(['/livez', '/readyz'])('answers %s', async (path) => {
    expect((await send('GET', path)).status).toBe(200);
  });

  it.each([
    ['POST', '/internal/holds'],
    ['POST', '/internal/credentials:verify'],
    ['POST', '/internal/payloads:lookup'],
    ['POST', '/internal/executions:end-states'],
    ['GET', '/metrics'],
  ])('does not show what is inside: %s %s', async (method, path) => {
    const body = method === 'POST' ? { body: {} } : {};
    for (const key of [account.key, adminKey]) expect((await send(method, path, { key, ...body })).status).toBe(404);
  });
});
