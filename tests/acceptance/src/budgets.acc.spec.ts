import { beforeAll, describe, expect, it } from '@jest/globals';
import { unaffordableCall } from '@capability-router/contracts/answers';
import { admin, newAccount, newKey, type TestAccount } from './support/accounts.js';
import { listCharges, listUsage, remainingCredits, settledUsageOf } from './support/audit.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { expectShape } from './support/expect-shape.js';
import { send, type Reply } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { freeCall, paidCall, priceOf } from './support/tools.js';

const CLIENTS = 50;
const AFFORDABLE_CALLS = 5;

/** Credits. */
let price: number;
const credits = (calls: number): number => (micro(price) * calls) / 1e6;

beforeAll(async () => {
  price = await priceOf((await newAccount(1)).key, paidCall.toolId);
});

async function keyWith(accountId: string, limits: JsonObject): Promise<{ key: string; keyId: string }> {
  const body = { name: 'key with a budget', scopes: ['call', 'read'], ...limits };
  const data = await admin('POST', `/accounts/${accountId}/api-keys`, body);
  expect(data).toEqual(expect.objectContaining(limits));
  return { key: asString(data['api_key']), keyId: asString(data['api_key_id']) };
}

const change = (keyId: string, body: unknown): Promise<Reply> =>
  send('PATCH', `/admin/v1/api-keys/${keyId}`, { key: adminKey, body });

function expectRefused(reply: Reply, detail: JsonObject): void {
  expect(reply.status).toBe(402);
  expectShape(reply.json, unaffordableCall);
  expect(reply.json['code']).toBe('budget_exceeded');
  expect(asArray(reply.json['details'])).toContainEqual(expect.objectContaining({ needed_credits: price, ...detail }));
}

describe('max_credits of a call', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await newAccount();
  });

  it('below its upper bound refuses it with 402; it leaves one row in the audit and no charge', async () => {
    const limit = (micro(price) - 1) / 1e6;
    const reply = await execute(account.key, paidCall, { max_credits: limit });
    expectRefused(reply, { scope: 'call', available_credits: limit });
    expect(reply.json['remaining_credits']).toBe(account.initialCredits);
    const row = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(row).toEqual(
      expect.objectContaining({ reason_code: 'budget_exceeded', charge_outcome: 'failed_not_charged' }),
    );
    expect(await listCharges(account.key)).toEqual([]);
    expect(await remainingCredits(account.key)).toBe(account.initialCredits);
  });

  it('of its upper bound lets it through, and a free call passes the smallest one', async () => {
    expect((await execute(account.key, paidCall, { max_credits: price })).status).toBe(200);
    expect((await execute(account.key, freeCall, { max_credits: 0.000001 })).status).toBe(200);
  });

  it.each([[0], [-1], [0.0000001], ['5'], [1e300]])('of %j is refused with 422 that names it', async (limit) => {
    const reply = await execute(account.key, paidCall, { max_credits: limit });
    expect(reply.status).toBe(422);
    expect(asObject(asArray(reply.json['details'])[0])['loc']).toEqual(['body', 'max_credits']);
  });
});

describe('the budget of a key', () => {
  it('is never passed by 50 calls at once, and the other keys of the account go on', async () => {
    const account = await newAccount();
    const budget = { amount_credits: credits(AFFORDABLE_CALLS), period: 'month' };
    const { key } = await keyWith(account.accountId, { budget });
    const replies = await Promise.all(Array.from({ length: CLIENTS }, () => execute(key, paidCall)));
    const refused = replies.filter(({ status }) => status === 402);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(AFFORDABLE_CALLS);
    expect(refused).toHaveLength(CLIENTS - AFFORDABLE_CALLS);
    for (const reply of refused) {
      expectRefused(reply, { scope: 'key', limit_credits: budget.amount_credits, period_ends_at: expect.any(String) });
    }
    await eventually(async () => {
      const rows = await listUsage(account.key, { limit: 50 });
      expect(rows).toHaveLength(CLIENTS);
      expect(rows.filter((row) => row['billing_snapshot_status'] === 'pending')).toEqual([]);
      expect(rows.filter((row) => row['reason_code'] === 'budget_exceeded')).toHaveLength(CLIENTS - AFFORDABLE_CALLS);
    });
    expect(await listCharges(account.key)).toHaveLength(AFFORDABLE_CALLS);
    // Charged credits are spent, not given back.
    expectRefused(await execute(key, paidCall), { scope: 'key', available_credits: 0 });
    expect((await execute(key, freeCall)).status).toBe(200);
    expect((await execute(account.key, paidCall)).status).toBe(200);
  });

  it('can be raised, lowered and lifted, is shown in the list, and holds within seconds', async () => {
    const { accountId, key: other } = await newAccount();
    const { key, keyId } = await newKey(accountId);
    expect((await execute(key, paidCall)).status).toBe(200);
    const budget = { amount_credits: credits(0.5), period: 'total' };
    expect((await change(keyId, { budget })).status).toBe(200);
    const { items } = await admin('GET', `/accounts/${accountId}/api-keys`);
    expect(items).toContainEqual(expect.objectContaining({ api_key_id: keyId, budget }));
    await eventually(async () => expectRefused(await execute(key, paidCall), { scope: 'key' }));
    await change(keyId, { budget: { ...budget, amount_credits: credits(1_000) } });
    await eventually(async () => expect((await execute(key, paidCall)).status).toBe(200));
    await change(keyId, { budget: { ...budget, amount_credits: 0.000001 } });
    await eventually(async () => {
      expectRefused(await execute(key, paidCall), { scope: 'key', available_credits: 0 });
    });
    await change(keyId, { budget: null });
    await eventually(async () => expect((await execute(key, paidCall)).status).toBe(200));
    expect((await execute(other, paidCall)).status).toBe(200);
  });

  it.each([
    [{ budget: { amount_credits: 0, period: 'day' } }],
    [{ budget: { amount_credits: 1, period: 'year' } }],
    [{ session_budget: { amount_credits: '1' } }],
    [{ surprise: 1 }],
  ])('is refused with 422 where it is %j', async (body) => {
    const { keyId } = await newAccount();
    const reply = await change(keyId, body);
    expect(reply.status).toBe(422);
    expect(reply.json['message']).toEqual(expect.stringMatching(/\S/));
  });

  it('is for administrators', async () => {
    const { key, keyId } = await newAccount();
    expect((await send('PATCH', `/admin/v1/api-keys/${keyId}`, { key, body: { budget: null } })).status).toBe(403);
  });
});

describe('the budget of a session', () => {
  it('counts each session apart, and all calls without one together', async () => {
    const account = await newAccount();
    const { key } = await keyWith(account.accountId, { session_budget: { amount_credits: credits(2) } });
    const statusesOf = async (more: JsonObject): Promise<number[]> => {
      const replies = await Promise.all([1, 2, 3].map(() => execute(key, paidCall, more)));
      for (const reply of replies) if (reply.status !== 200) expectRefused(reply, { scope: 'session' });
      return replies.map(({ status }) => status).sort();
    };
    for (const more of [{ session_id: 'one task' }, { session_id: 'another task' }, {}]) {
      expect(await statusesOf(more)).toEqual([200, 200, 402]);
    }
  });
});
