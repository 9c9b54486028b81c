/**
 * OWASP API4:2023. Attacked: what one sender can take. Limits of requests are in `rate-limit` and `rate-limit-plans`, sizes of bodies
 * in `large-bodies` and `gateway-rules`, depth in `nesting`, processor time of tools in `execute-hostile-input`, credits in
 * `overspend` and `budgets`, slow senders in `protection.unit` of the gateway; here are the members that ask for much.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from '../support/accounts.js';
import { listCharges } from '../support/audit.js';
import { call } from '../support/http.js';
import type { JsonObject } from '../support/json.js';
import { freeCall } from '../support/tools.js';

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
});

const many = (count: number, text: string): string[] => Array.from({ length: count }, (_, index) => `${text}${index}`);
const free = { tool_id: freeCall.toolId, parameters: freeCall.parameters };

describe('a request that asks for more than there is to give', () => {
  it.each<[string, string, JsonObject]>([
    ['a search for 101 tools', '/search', { query: 'convert units', limit: 101 }],
    ['a search of 2,001 characters', '/search', { query: 'x'.repeat(2_001) }],
    ['tools by 10,000 ids', '/tools/by-ids', { tool_ids: many(10_000, 'a.b.c.v') }],
    [
      'a call with 1,000 paths of its result',
      '/tools/execute',
      { ...free, respond_with: `fields:${many(1_000, '$.a').join(',')}` },
    ],
    ['a call with a result of no bytes', '/tools/execute', { ...free, max_response_size: 0 }],
    ['a call with an id of 100,000 characters', '/tools/execute', { ...free, session_id: 'x'.repeat(100_000) }],
    ['a capability by 1,000 providers', '/capabilities/query', { capability_id: 'x', provider_ids: many(1_000, 'p') }],
    ['a key with 1,000 scopes', '/auth/api-keys', { name: 'a key', scopes: many(1_000, 's') }],
    ['a project with a name of 10,000 characters', '/auth/projects', { name: 'x'.repeat(10_000) }],
  ])('%s is refused with the member that is at fault', async (_what, path, body) => {
    const reply = await call('POST', path, { key: account.key, body });
    expect(reply.status).toBe(422);
  });

  it.each([
    ['/auth/usage/history/v2', 'page_size', '50001'],
    ['/auth/usage/history/v2', 'page_size', '1e3'],
    ['/auth/usage/history/v2/summary', 'page_size', '501'],
    ['/auth/credits/ledger', 'page_size', '501'],
    ['/auth/account/settlement-history', 'page_size', '501'],
    ['/auth/api-keys', 'limit', '100000'],
    ['/auth/security-log', 'limit', '100000'],
    ['/capabilities', 'limit', '100000'],
    ['/providers', 'limit', '100000'],
    ['/auth/usage/history/v2', 'page', '99999999999999999999'],
  ])('%s with %s=%s is refused', async (path, name, value) => {
    const reply = await call('GET', path, { key: account.key, query: { [name]: value } });
    expect([400, 422]).toContain(reply.status);
  });

  it('in 100 requests at once is answered each time, and costs nothing', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const body = { tool_id: `no.such.tool.v${index + 1}`, parameters: { deep: [[[['x'.repeat(1_000)]]]] } };
        return (await call('POST', '/tools/execute', { key: account.key, body })).status;
      }),
    );
    expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
    expect(await listCharges(account.key)).toEqual([]);
  });
});
