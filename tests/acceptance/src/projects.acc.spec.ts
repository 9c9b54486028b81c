import { beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listUsage, settledUsageOf } from './support/audit.js';
import { execute } from './support/execute.js';
import { call } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';
import { micro } from './support/money.js';
import { freeCall, paidCall, priceOf } from './support/tools.js';

const CLIENTS = 30;
const AFFORDABLE_CALLS = 4;
const MAX_ATTEMPTS = 4;

let account: TestAccount;
let price: number;
beforeAll(async () => {
  account = await newAccount();
  price = await priceOf(account.key, paidCall.toolId);
});

async function ask(method: string, path: string, body?: unknown, key = account.key): Promise<JsonObject> {
  const reply = await call(method, `/auth${path}`, { key, ...(body === undefined ? {} : { body }) });
  if (reply.status >= 300) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
  return asObject(reply.json['data']);
}

/** Until each gateway has confirmed, which an answer without `pending` says. */
async function confirmed(method: string, path: string, body?: unknown): Promise<void> {
  for (let attempt = 1; (await ask(method, path, body))['pending'] === true; attempt += 1) {
    expect(attempt).toBeLessThan(MAX_ATTEMPTS);
  }
}

/** An open project with keys of its own. */
async function project(budget: JsonObject | undefined, keys: number): Promise<{ id: string; keys: string[] }> {
  const made = await ask('POST', '/projects', { name: 'research', ...(budget === undefined ? {} : { budget }) });
  const id = asString(made['project_id'], 'project_id');
  const issued = await Promise.all(
    Array.from({ length: keys }, () => ask('POST', '/api-keys', { name: 'member', project_id: id })),
  );
  return { id, keys: issued.map((key) => asString(key['api_key'], 'api_key')) };
}

describe('a project', () => {
  it('with a budget is never passed by its keys, whichever replica they ask, and a raised one holds once answered', async () => {
    const amount = (micro(price) * AFFORDABLE_CALLS) / 1e6;
    const { id, keys } = await project({ amount_credits: amount, period: 'month' }, 2);
    const replies = await Promise.all(
      Array.from({ length: CLIENTS }, (_, index) => execute(keys[index % 2] ?? '', paidCall)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(AFFORDABLE_CALLS);
    const refused = replies.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(CLIENTS - AFFORDABLE_CALLS);
    const details = asArray(refused[0]?.json['details'], 'details');
    expect(details[0]).toMatchObject({ scope: 'project', loc: ['project', 'budget'], limit_credits: amount });
    expect((await execute(account.key, freeCall)).status).toBe(200);
    await confirmed('PATCH', `/projects/${id}`, { budget: { amount_credits: 2 * amount, period: 'month' } });
    for (const key of keys) expect((await execute(key, paidCall)).status).toBe(200);
  });

  it('is what its calls are charged back to: in usage, its export and the credits spent', async () => {
    const { id, keys } = await project(undefined, 1);
    const reply = await execute(keys[0] ?? '', paidCall);
    const beside = await execute(account.key, paidCall);
    const event = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(event['project_id']).toBe(id);
    expect(await settledUsageOf(account.key, beside.json['execution_id'])).not.toHaveProperty('project_id');
    const listed = await listUsage(account.key, { project_id: id });
    expect(listed.map((row) => row['execution_id'])).toEqual([reply.json['execution_id']]);
    expect(await ask('GET', `/usage/credits-spent?project_id=${id}`)).toMatchObject({ total_credits: price });
    const csv = await call('GET', `/auth/usage/history/v2/export?project_id=${id}`, { key: account.key });
    const [head = '', ...rows] = csv.text.trimEnd().split('\n');
    expect([head.trimEnd().split(',').at(-2), rows.length]).toEqual(['project_id', 1]);
  });

  it('that is closed lets its keys spend nothing and read on, once that is answered, and revokes none', async () => {
    const { id, keys } = await project(undefined, 1);
    const [key = ''] = keys;
    expect((await execute(key, freeCall)).status).toBe(200);
    await confirmed('PATCH', `/projects/${id}`, { state: 'closed' });
    for (const known of [paidCall, freeCall, paidCall]) {
      const reply = await execute(key, known);
      expect([reply.status, reply.json['code']]).toEqual([403, 'insufficient_scope']);
      expect(reply.json).toMatchObject({
        scope: 'call',
        message: expect.stringContaining('project of this key is closed'),
        next_step: expect.stringContaining('Open the project'),
      });
    }
    expect((await call('GET', '/auth/credits', { key })).status).toBe(200);
    await confirmed('PATCH', `/projects/${id}`, { state: 'open' });
    expect((await execute(key, freeCall)).status).toBe(200);
  });
});
