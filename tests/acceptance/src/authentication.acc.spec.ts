import { beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, newKey, type TestAccount } from './support/accounts.js';
import { call } from './support/http.js';
import { asObject } from './support/json.js';
import { toldError } from './support/told-error.js';
import { paidCall } from './support/tools.js';

/** Replicas of the gateway that take requests in turn, at most. */
const REPLICAS = 4;

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

/** Every way to come without a good credential. */
const badHeaders: readonly [string, Record<string, string>][] = [
  ['no credential', {}],
  ['another scheme', { authorization: 'Basic c2stOng=' }],
  ['an empty bearer', { authorization: 'Bearer ' }],
  ['a key of another form', { authorization: 'Bearer not-a-key' }],
  ['an unknown key', { authorization: `Bearer sk-${'a'.repeat(48)}` }],
  ['a key that is far too long', { authorization: `Bearer sk-${'a'.repeat(6_000)}` }],
];

const envelopeEndpoints: readonly [string, string][] = [
  ['GET', '/auth/credits'],
  ['GET', '/auth/usage/history/v2'],
  ['GET', '/auth/usage/history/v2/00000000-0000-7000-8000-000000000000'],
  ['GET', '/auth/credits/ledger'],
  ['GET', '/auth/credits/ledger/led_00000000000070008000000000000000'],
];

describe.each(badHeaders)('a request with %s', (_what, headers) => {
  it('gets 401 in search shape on Discover', async () => {
    const reply = await call('POST', '/search', { headers, body: { query: 'convert units' } });
    expect(reply.status).toBe(401);
    expect(reply.json).toEqual({
      status: 'failure',
      status_code: 401,
      message: 'Invalid API key',
      query: 'convert units',
      search_id: 'srch_failed',
      total: 0,
      results: [],
      ...toldError('invalid_api_key'),
    });
  });

  it('gets 401 with guidance on Call', async () => {
    const reply = await call('POST', '/tools/execute', { headers, body: { tool_id: 'a.b.c.v1', parameters: {} } });
    expect(reply.status).toBe(401);
    expect(reply.json).toEqual({
      status: 'failure',
      status_code: 401,
      message: 'Invalid API key',
      data: { guidance: expect.stringMatching(/\S/) },
      ...toldError('invalid_api_key'),
    });
  });

  it('gets 401 on Inspect', async () => {
    const reply = await call('POST', '/tools/by-ids', { headers, body: { tool_ids: ['a.b.c.v1'] } });
    expect(reply.status).toBe(401);
    expect(reply.json).toEqual(expect.objectContaining({ message: 'Invalid API key' }));
  });

  it.each(envelopeEndpoints)('gets 401 on %s %s', async (method, path) => {
    const reply = await call(method, path, { headers });
    expect(reply.status).toBe(401);
    expect(reply.json).toEqual(expect.objectContaining({ status: 'failure', message: 'Invalid API key' }));
  });
});

describe('a revoked key', () => {
  it('is refused by every replica once its revocation is answered, and the other key of the account goes on', async () => {
    const { key, keyId } = await newKey(account.accountId);
    for (let turn = 0; turn < REPLICAS; turn += 1) {
      expect((await call('GET', '/auth/credits', { key })).status).toBe(200);
    }
    const revoked = await admin('DELETE', `/api-keys/${keyId}`);
    expect(revoked).not.toHaveProperty('pending');
    for (let turn = 0; turn < REPLICAS; turn += 1) {
      expect((await call('GET', '/auth/credits', { key })).status).toBe(401);
    }
    expect((await call('GET', '/auth/credits', { key: account.key })).status).toBe(200);
  });
});

describe('a key of one scope', () => {
  const inspected = { tool_ids: [paidCall.toolId] };
  const routes: readonly [scope: string, method: string, path: string, body?: object][] = [
    ['call', 'POST', '/tools/execute', { tool_id: paidCall.toolId, parameters: paidCall.parameters }],
    ['call', 'POST', '/capabilities/query', { capability_id: 'x', parameters: {} }],
    ['call', 'POST', '/search', { query: 'convert units' }],
    ['call', 'POST', '/tools/by-ids', inspected],
    ['call', 'GET', '/tools/executions/by-idempotency-key?key=none'],
    ['read', 'GET', '/auth/credits'],
    ['read', 'GET', '/auth/credits/ledger'],
    ['read', 'GET', '/auth/usage/history/v2?include_details=true'],
    ['read', 'GET', '/auth/usage/history/v2/export'],
    ['manage', 'GET', '/auth/provider-credentials'],
    ['manage', 'PUT', '/auth/provider-credentials/nobody', { fields: { token: 'sesame-9' } }],
    ['manage', 'DELETE', '/auth/provider-credentials/nobody'],
  ];

  it.each(['call', 'read', 'manage'])(
    '%s passes where it is asked for, and is told elsewhere what it lacks',
    async (scope) => {
      const { key } = await newKey(account.accountId, [scope]);
      for (const [wanted, method, path, body] of routes) {
        const reply = await call(method, path, { key, ...(body === undefined ? {} : { body }) });
        if (wanted === scope) expect([path, reply.status]).not.toEqual([path, 403]);
        else {
          const refusal = { status: 'failure', scope: wanted, ...toldError('insufficient_scope') };
          expect([path, reply.status, reply.json]).toEqual([
            path,
            403,
            { ...refusal, message: expect.stringContaining(`"${wanted}"`) },
          ]);
        }
      }
    },
  );

  it('leaves nothing in the audit where it was refused', async () => {
    const { accountId, key } = await newAccount();
    const reader = await newKey(accountId, ['read']);
    const body = { tool_id: paidCall.toolId, parameters: paidCall.parameters };
    expect((await call('POST', '/tools/execute', { key: reader.key, body })).status).toBe(403);
    expect((await call('PUT', '/auth/provider-credentials/nobody', { key: reader.key, body: {} })).status).toBe(403);
    const calls = await call('GET', '/auth/usage/history/v2', { key, query: { kind: 'call' } });
    expect(asObject(calls.json['data'])['total']).toBe(0);
  });
});
