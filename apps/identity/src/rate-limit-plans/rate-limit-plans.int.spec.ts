import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { ManualClock } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';
import { assignPlan } from './assign-plan.js';
import { streamOfPlan } from './append-plan-event.js';
import { removePlan } from './remove-plan.js';

const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};

let identity: RunningIdentity;
beforeAll(async () => {
  identity = await RunningIdentity.start(new ManualClock(Date.UTC(2026, 0, 15, 12)));
});
afterAll(() => identity.stop());

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';
const ask = (method: Method, path: string, body?: unknown, account = admin): Promise<Answer> =>
  identity.call({ method, url: `/admin/v1${path}`, body, account });
const dataOf = ({ body }: Answer) => body['data'] as Record<string, unknown>;
const put = (name: string, perMinute: unknown): Promise<Answer> =>
  ask('PUT', `/rate-limit-plans/${name}`, { per_minute: perMinute });
const assign = (accountId: string, plan: unknown): Promise<Answer> =>
  ask('PUT', `/accounts/${accountId}/rate-limit-plan`, { plan });

async function newAccount(kind = 'formal'): Promise<{ accountId: string; credential: string }> {
  const accountId = String(dataOf(await ask('POST', '/accounts', { kind, name: 'a' }))['account_id']);
  const issued = dataOf(await ask('POST', `/accounts/${accountId}/api-keys`, { name: 'k' }));
  return { accountId, credential: String(issued['api_key']) };
}

/** The plan that the gateway is told with a credential. */
async function planOf(credential: string): Promise<unknown> {
  const body = { credential };
  return (await identity.call({ method: 'POST', url: '/internal/credentials:verify', body })).body['ratePlan'];
}

const factsOf = async (stream: string): Promise<unknown[]> =>
  (await readStream(identity.database.pool, stream)).map(({ type, data }) => [type, data['perMinute'] ?? data['plan']]);

describe('rate-limit plans', () => {
  it('are those of the kinds of accounts, with the limits of the deployment, until an administrator sets some', async () => {
    const [trial, formal] = [await newAccount('trial'), await newAccount()];
    expect(await planOf(trial.credential)).toEqual({ name: 'trial', perMinute: {} });
    expect(await planOf(formal.credential)).toEqual({ name: 'formal', perMinute: {} });
    const none = { discover: null, inspect: null, probe: null, call: null, read: null };
    expect(dataOf(await ask('GET', '/rate-limit-plans/trial'))).toEqual({
      name: 'trial',
      is_default: true,
      per_minute: none,
    });
    expect(dataOf(await put('trial', { call: 20, read: null }))).toMatchObject({ per_minute: { ...none, call: 20 } });
    expect(await planOf(trial.credential)).toEqual({ name: 'trial', perMinute: { call: 20 } });
    expect(await planOf(formal.credential)).toEqual({ name: 'formal', perMinute: {} });
    await put('trial', {});
    expect(await planOf(trial.credential)).toEqual({ name: 'trial', perMinute: {} });
    expect((await ask('DELETE', '/rate-limit-plans/trial')).status).toBe(409);
  });

  it('are given to accounts, changed and taken back, each told once', async () => {
    const { accountId, credential } = await newAccount();
    await put('gold', { call: 500 });
    expect(dataOf(await assign(accountId, 'gold'))).toEqual({ account_id: accountId, plan: 'gold', assigned: true });
    await assign(accountId, 'gold');
    expect(await planOf(credential)).toEqual({ name: 'gold', perMinute: { call: 500 } });
    await put('gold', { read: 10, call: 600 });
    await put('gold', { call: 600, read: 10 });
    expect(await planOf(credential)).toEqual({ name: 'gold', perMinute: { call: 600, read: 10 } });
    expect((await ask('DELETE', '/rate-limit-plans/gold')).status).toBe(409);
    expect(dataOf(await assign(accountId, null))).toMatchObject({ plan: 'formal', assigned: false });
    expect(dataOf(await ask('GET', `/accounts/${accountId}/rate-limit-plan`))).toMatchObject({ plan: 'formal' });
    expect(dataOf(await ask('DELETE', '/rate-limit-plans/gold'))).toEqual({ name: 'gold', removed: true });
    expect((await ask('GET', '/rate-limit-plans/gold')).status).toBe(404);
    expect((await ask('DELETE', '/rate-limit-plans/gold')).status).toBe(404);
    expect(await factsOf(streamOfPlan('gold'))).toEqual([
      ['RateLimitPlanChanged', { call: 500 }],
      ['RateLimitPlanChanged', { call: 600, read: 10 }],
      ['RateLimitPlanRemoved', 'gold'],
    ]);
    expect((await factsOf(accountId)).slice(2)).toEqual([
      ['AccountRateLimitPlanChanged', 'gold'],
      ['AccountRateLimitPlanChanged', null],
    ]);
  });

  it('hold for the tokens of an account as for its keys', async () => {
    const { accountId } = await newAccount();
    await put('silver', { discover: 7 });
    await assign(accountId, 'silver');
    const registered = await ask('POST', '/oauth-clients', { account_id: accountId, name: 'c', scopes: ['call'] });
    const { client_id: id, client_secret: secret } = dataOf(registered);
    const authorization = `Basic ${Buffer.from(`${String(id)}:${String(secret)}`).toString('base64')}`;
    const form = { grant_type: 'client_credentials' };
    const token = await identity.call({ method: 'POST', url: '/api/v1/oauth/token', form, authorization });
    expect(await planOf(String(token.body['access_token']))).toEqual({ name: 'silver', perMinute: { discover: 7 } });
  });

  it('are not removed while somebody is being given them', async () => {
    const { accountId } = await newAccount();
    await put('contested', {});
    const common = { changedBy: admin.accountId, removedBy: admin.accountId, nowMs: Date.now() };
    const { pool } = identity.database;
    let removal: Promise<string> | undefined;
    await inTransaction(pool, async (tx) => {
      await assignPlan(tx, { accountId, plan: 'contested', ...common });
      removal = inTransaction(pool, (other) => removePlan(other, { name: 'contested', ...common }));
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(await removal).toBe('plan_in_use');
  });

  it('leave no trace of an account that is erased', async () => {
    const { accountId } = await newAccount();
    await put('short', {});
    await assign(accountId, 'short');
    await ask('DELETE', `/accounts/${accountId}`);
    expect((await assign(accountId, 'short')).status).toBe(404);
    expect((await ask('GET', `/accounts/${accountId}/rate-limit-plan`)).status).toBe(404);
    expect((await ask('DELETE', '/rate-limit-plans/short')).status).toBe(200);
  });

  it.each([
    ['a', { per_minute: { call: 0 } }],
    ['a', { per_minute: { call: 1_000_001 } }],
    ['a', { per_minute: { call: 1.5 } }],
    ['a', { per_minute: { call: '5' } }],
    ['a', { per_minute: { calls: 5 } }],
    ['a', { per_minute: [] }],
    ['a', {}],
    ['Gold', { per_minute: {} }],
    ['acc_1', { per_minute: {} }],
    ['a'.repeat(41), { per_minute: {} }],
  ])('%s are not %j', async (name, body) => {
    expect((await ask('PUT', `/rate-limit-plans/${name}`, body)).status).toBe(422);
    expect((await ask('GET', `/rate-limit-plans/${name}`)).status).toBe(404);
  });

  it('are for administrators, of plans and accounts that there are', async () => {
    const { accountId } = await newAccount();
    const other = { ...admin, scopes: ['manage'] };
    for (const [method, path, body] of [
      ['GET', '/rate-limit-plans', undefined],
      ['GET', '/rate-limit-plans/trial', undefined],
      ['PUT', '/rate-limit-plans/x', { per_minute: {} }],
      ['DELETE', '/rate-limit-plans/x', undefined],
      ['GET', `/accounts/${accountId}/rate-limit-plan`, undefined],
      ['PUT', `/accounts/${accountId}/rate-limit-plan`, { plan: null }],
    ] as const) {
      expect([path, (await ask(method, path, body, other)).status]).toEqual([path, 403]);
    }
    expect((await assign(accountId, 'nobodys')).status).toBe(422);
    for (const plan of [7, undefined, 'Gold', '']) expect((await assign(accountId, plan)).status).toBe(422);
    expect((await assign(`acc_${'0'.repeat(32)}`, null)).status).toBe(404);
    expect((await assign('nobody', null)).status).toBe(404);
  });

  it('are at most a hundred beside the default ones, also where many come at once', async () => {
    const { items } = dataOf(await ask('GET', '/rate-limit-plans')) as { items: { is_default: boolean }[] };
    const others = items.filter((item) => !item.is_default).length;
    await identity.database.pool.query(
      `INSERT INTO rate_limit_plans SELECT 'filler-' || n, '{}', gen_random_uuid(), now() FROM generate_series(1, $1::int) n`,
      [98 - others],
    );
    const statuses = (await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(name, {})))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 409, 409]);
    expect((await put('formal', { read: 5 })).status).toBe(200);
    expect((await put('filler-1', { read: 5 })).status).toBe(200);
  });
});
