import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listUsage, settledUsageOf } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { call } from './support/http.js';
import { asArray, asObject } from './support/json.js';
import { freeCall } from './support/tools.js';

const CALLS = 5;

let account: TestAccount;
beforeAll(async () => {
  account = await newAccount();
  for (let index = 0; index < CALLS; index += 1) {
    const reply = await execute(account.key, freeCall);
    await settledUsageOf(account.key, reply.json['execution_id']);
  }
});

async function page(path: string, query: Record<string, string | number>): Promise<Record<string, unknown>> {
  const reply = await call('GET', path, { key: account.key, query });
  expect(reply.status).toBe(200);
  return asObject(reply.json['data'], 'data');
}
const ids = (data: Record<string, unknown>) => asArray(data['items']).map((item) => asObject(item)['id']);

describe('GET /auth/usage/history/v2, pages', () => {
  it('gives every event exactly once over its pages, newest first', async () => {
    const path = '/auth/usage/history/v2';
    const all = await page(path, {});
    expect(all['total']).toBe(CALLS);
    const times = asArray(all['items']).map((item) => String(asObject(item)['created_at']));
    expect(times).toEqual([...times].sort().reverse());
    const parts = await Promise.all([1, 2, 3].map((number) => page(path, { page: number, page_size: 2 })));
    expect(parts.map((part) => part['page_size'])).toEqual([2, 2, 1]);
    expect(parts.map((part) => part['total'])).toEqual([CALLS, CALLS, CALLS]);
    expect(parts.flatMap(ids)).toEqual(ids(all));
  });

  it('lets limit override page_size', async () => {
    const data = await page('/auth/usage/history/v2', { page_size: 5, limit: 3 });
    expect(ids(data)).toHaveLength(3);
  });

  it('clamps a limit over 50', async () => {
    expect((await page('/auth/usage/history/v2', { limit: 51 }))['total']).toBe(CALLS);
  });

  it('finds nothing by an execution_id that never was', async () => {
    expect(await listUsage(account.key, { execution_id: `exec_${'0'.repeat(32)}` })).toEqual([]);
  });
});

describe('the audit and the ledger, one record', () => {
  it.each([
    ['/auth/usage/history/v2/00000000-0000-7000-8000-000000000000', 404],
    ['/auth/usage/history/v2/not-a-uuid', 422],
    ['/auth/credits/ledger/led_00000000000070008000000000000000', 404],
  ])('answers %s with %i', async (path, status) => {
    const reply = await call('GET', path, { key: account.key });
    expect(reply.status).toBe(status);
  });
});

describe('the audit and the ledger, bad pages', () => {
  const paths = ['/auth/usage/history/v2', '/auth/credits/ledger'];
  const queries = [
    'page=0',
    'page=-1',
    'page=x',
    'page_size=0',
    'page_size=-5',
    'page_size=50001',
    'limit=0',
    'limit=x',
  ];
  it.each(paths.flatMap((path) => queries.map((query) => [path, query] as const)))(
    'answers 422 to %s?%s',
    async (path, query) => {
      const reply = await call('GET', `${path}?${query}`, { key: account.key });
      expect(reply.status).toBe(422);
      expect(asArray(reply.json['detail']).length).toBeGreaterThan(0);
    },
  );
});

describe('the ledger of a new account', () => {
  it('begins with its welcome bonus from 0', async () => {
    await eventually(async () => {
      const data = await page('/auth/credits/ledger', {});
      expect(asArray(data['items'])).toEqual([
        expect.objectContaining({
          entry_type: 'grant_welcome_bonus',
          amount_credits: account.initialCredits,
          balance_before: { total_available_credits: 0 },
          balance_after: { total_available_credits: account.initialCredits },
        }),
      ]);
    });
  });
});
