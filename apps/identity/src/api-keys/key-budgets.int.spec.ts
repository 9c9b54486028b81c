import type { AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { isJsonObject, ManualClock, type JsonObject } from '@capability-router/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};
const textOf = (data: JsonObject, member: string): string => {
  const value = data[member];
  if (typeof value !== 'string') throw new Error(`no text ${member} in ${JSON.stringify(data)}`);
  return value;
};
const dataOf = ({ body }: Answer): JsonObject => (isJsonObject(body['data']) ? body['data'] : {});

describe('what an administrator lets a key spend', () => {
  let identity: RunningIdentity;
  let accountId: string;
  beforeAll(async () => {
    identity = await RunningIdentity.start(new ManualClock(Date.UTC(2026, 0, 15, 12)));
  });
  afterAll(() => identity.stop());
  beforeEach(async () => {
    const created = await send('POST', '/admin/v1/accounts', { kind: 'formal', name: 'somebody' });
    accountId = textOf(dataOf(created), 'account_id');
  });

  const send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown, account = admin) =>
    identity.call({ method, url, account, ...(body === undefined ? {} : { body }) });
  const issue = (body: object = {}) =>
    send('POST', `/admin/v1/accounts/${accountId}/api-keys`, { name: 'ci', ...body });
  const change = (keyId: string, body: unknown) => send('PATCH', `/admin/v1/api-keys/${keyId}`, body);
  const listed = async (): Promise<unknown> =>
    dataOf(await send('GET', `/admin/v1/accounts/${accountId}/api-keys`))['items'];
  const claims = async (credential: unknown): Promise<unknown> => {
    const answer = await identity.call({ method: 'POST', url: '/internal/credentials:verify', body: { credential } });
    return (answer.body['assertion'] as AccountAssertion).budgets;
  };
  const changes = async (): Promise<JsonObject[]> => {
    const events = await readStream(identity.database.pool, accountId);
    return events.filter(({ type }) => type === 'ApiKeyBudgetsChanged').map(({ data }) => data);
  };

  it('is set with the key, shown in lists, and vouched for from the first call on', async () => {
    const limits = { budget: { amount_credits: 12.5, period: 'day' }, session_budget: { amount_credits: 0.000001 } };
    const issued = await issue(limits);
    expect(issued.status).toBe(201);
    expect(dataOf(issued)).toMatchObject(limits);
    expect(await listed()).toMatchObject([limits]);
    expect(await claims(dataOf(issued)['api_key'])).toEqual({
      key: { limitMicroCredits: '12500000', period: 'day' },
      session: { limitMicroCredits: '1' },
    });
  });

  it('is nothing in particular where nothing was set', async () => {
    const issued = dataOf(await issue());
    for (const item of [issued, ((await listed()) as JsonObject[])[0]]) {
      expect(item).not.toHaveProperty('budget');
      expect(item).not.toHaveProperty('session_budget');
    }
    expect(await claims(issued['api_key'])).toBeUndefined();
  });

  it('changes member by member, is lifted with null, and tells the gateway of each change once', async () => {
    const issued = dataOf(await issue({ session_budget: { amount_credits: 3 } }));
    const [key, keyId] = [textOf(issued, 'api_key'), textOf(issued, 'api_key_id')];
    const budget = { amount_credits: 5, period: 'month' };
    const changed = await change(keyId, { budget });
    expect(changed.status).toBe(200);
    expect(dataOf(changed)).toEqual({
      api_key_id: keyId,
      account_id: accountId,
      budget,
      session_budget: { amount_credits: 3 },
    });
    const [month, three] = [{ limitMicroCredits: '5000000', period: 'month' }, { limitMicroCredits: '3000000' }];
    expect(await claims(key)).toEqual({ key: month, session: three });
    expect(await change(keyId, { budget })).toEqual(expect.objectContaining({ status: 200, body: changed.body }));
    expect(await change(keyId, {})).toMatchObject({ status: 200, body: changed.body });
    expect(dataOf(await change(keyId, { session_budget: null }))).not.toHaveProperty('session_budget');
    await change(keyId, { budget: null });
    expect(await claims(key)).toBeUndefined();
    expect((await changes()).map(({ apiKeyId, budgets }) => [apiKeyId, budgets])).toEqual([
      [keyId, { key: month, session: three }],
      [keyId, { key: month }],
      [keyId, {}],
    ]);
  });

  it.each([
    [{ budget: { amount_credits: 0, period: 'day' } }, 'amount_credits'],
    [{ budget: { amount_credits: -1, period: 'day' } }, 'amount_credits'],
    [{ budget: { amount_credits: '5', period: 'day' } }, 'amount_credits'],
    [{ budget: { amount_credits: 0.0000001, period: 'day' } }, 'amount_credits'],
    [{ budget: { amount_credits: 1e300, period: 'day' } }, 'amount_credits'],
    [{ budget: { amount_credits: 5 } }, 'period'],
    [{ budget: { amount_credits: 5, period: 'week' } }, 'period'],
    [{ budget: 5 }, 'budget'],
    [{ budget: [{ amount_credits: 5, period: 'day' }] }, 'budget'],
    [{ session_budget: {} }, 'amount_credits'],
    [{ session_budget: { amount_credits: 5, period: 'day' } }, 'period'],
    [{ limit: 5 }, 'limit'],
  ])('is refused with 422 that names the field: %j', async (body, field) => {
    const keyId = textOf(dataOf(await issue()), 'api_key_id');
    const answers = [await change(keyId, body), await issue(body)];
    for (const { status, body: refusal } of answers) {
      expect([status, JSON.stringify(refusal['detail'])]).toEqual([422, expect.stringContaining(`"${field}"`)]);
    }
    expect(await changes()).toEqual([]);
  });

  it('can be changed by administrators alone, of keys that there are and that are not revoked', async () => {
    const keyId = textOf(dataOf(await issue()), 'api_key_id');
    const body = { budget: null };
    const stranger: AccountAssertion = { ...admin, scopes: ['call', 'read'] };
    expect((await send('PATCH', `/admin/v1/api-keys/${keyId}`, body, stranger)).status).toBe(403);
    expect((await change('01940000-0000-7000-8000-000000000000', body)).status).toBe(404);
    expect((await change('nonsense', body)).status).toBe(404);
    await send('DELETE', `/admin/v1/api-keys/${keyId}`);
    expect((await change(keyId, { budget: { amount_credits: 5, period: 'day' } })).status).toBe(409);
    expect(await changes()).toEqual([]);
  });
});
