import type { AccountAssertion } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { isJsonObject, ManualClock } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

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

const textOf = (answer: Answer, member: string): string => {
  const { data } = answer.body;
  const value = isJsonObject(data) ? data[member] : undefined;
  if (typeof value !== 'string') throw new Error(`no ${member} in ${JSON.stringify(answer.body)}`);
  return value;
};

const create = (more: object): Promise<Answer> =>
  identity.call({
    method: 'POST',
    url: '/admin/v1/accounts',
    body: { kind: 'formal', name: 'a', ...more },
    account: admin,
  });
const setRegion = (accountId: string, body: unknown, account: AccountAssertion = admin): Promise<Answer> =>
  identity.call({ method: 'PUT', url: `/admin/v1/accounts/${accountId}/region`, body, account });

/** The account that the gateway vouches for. */
async function regionOf(accountId: string): Promise<unknown> {
  const issued = await identity.call({
    method: 'POST',
    url: `/admin/v1/accounts/${accountId}/api-keys`,
    body: { name: 'k' },
    account: admin,
  });
  const { body } = await identity.call({
    method: 'POST',
    url: '/internal/credentials:verify',
    body: { credential: textOf(issued, 'api_key') },
  });
  expect(body['valid']).toBe(true);
  return (body['assertion'] as AccountAssertion).region;
}

const eventsOf = async (accountId: string): Promise<string[]> =>
  (await readStream(identity.database.pool, accountId)).map(({ type }) => type);

describe('the region of an account', () => {
  it('is what it was opened with, and is vouched for with each of its keys', async () => {
    const opened = await create({ region: 'CH' });
    expect(opened.body['data']).toMatchObject({ region: 'CH' });
    expect(await regionOf(textOf(opened, 'account_id'))).toBe('CH');
  });

  it('is unknown where nobody said it, and for trial agents', async () => {
    for (const more of [{}, { region: null }, { kind: 'trial' }]) {
      const opened = await create(more);
      expect(opened.body['data']).not.toHaveProperty('region');
      expect(await regionOf(textOf(opened, 'account_id'))).toBeUndefined();
    }
  });

  it('is changed and taken back, each told once and without saying which', async () => {
    const accountId = textOf(await create({ region: 'CH' }), 'account_id');
    for (const [region, status] of [
      ['US', 'US'],
      ['US', 'US'],
      [null, undefined],
    ] as const) {
      expect(await setRegion(accountId, { region })).toMatchObject({
        status: 200,
        body: { data: { account_id: accountId, region } },
      });
      expect(await regionOf(accountId)).toBe(status);
    }
    const events = await eventsOf(accountId);
    expect(events.filter((type) => type === 'AccountRegionChanged')).toHaveLength(2);
    const stream = await readStream(identity.database.pool, accountId);
    for (const { type, data } of stream) {
      if (type === 'AccountRegionChanged')
        expect(Object.keys(data).sort()).toEqual(['accountId', 'changeId', 'changedAt']);
    }
  });

  it.each([[{ region: 'us' }], [{ region: 'USA' }], [{ region: 'XX' }], [{ region: '' }], [{ region: 7 }], [{}]])(
    'is not %j, and nothing changes',
    async (body) => {
      const accountId = textOf(await create({ region: 'CH' }), 'account_id');
      const refused = await setRegion(accountId, body);
      expect(refused.status).toBe(422);
      expect(JSON.stringify(refused.body)).toContain('region');
      expect(await eventsOf(accountId)).toEqual(['AccountOpened']);
      if ('region' in body) expect((await create(body)).status).toBe(422);
    },
  );

  it('is for administrators to set, of accounts that there are', async () => {
    const accountId = textOf(await create({}), 'account_id');
    const body = { region: 'US' };
    expect((await setRegion(accountId, body, { ...admin, scopes: ['call', 'read'] })).status).toBe(403);
    expect((await setRegion(`acc_${'0'.repeat(32)}`, body)).status).toBe(404);
    expect((await setRegion('nobody', body)).status).toBe(404);
  });

  it('goes with the account that is erased, and does not come back', async () => {
    const accountId = textOf(await create({ region: 'CH' }), 'account_id');
    const erased = await identity.call({
      method: 'DELETE',
      url: `/admin/v1/accounts/${accountId}`,
      account: admin,
    });
    expect(erased.status).toBe(200);
    const { rows } = await identity.database.pool.query('SELECT region FROM accounts WHERE account_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([{ region: null }]);
    expect((await setRegion(accountId, { region: 'US' })).status).toBe(404);
  });
});
