/** @postgres-versions A migration marks keys, under a role without rights on the schema. */
import { apiKeyScopes, type AccountAssertion } from '@capability-router/contracts';
import { isJsonObject, ManualClock, type JsonObject } from '@capability-router/kernel';
import { withQueryRunner } from '@capability-router/service-kit/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NarrowedKeys1763700000005 } from '../migrations/0005-narrowed-keys.js';
import { RunningIdentity, type Answer } from '../test-support/running-identity.js';

const admin: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};

const dataOf = ({ status, body }: Answer): JsonObject => {
  if (status >= 300 || !isJsonObject(body['data'])) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body['data'];
};

const textOf = (data: JsonObject, member: string): string => {
  const value = data[member];
  if (typeof value !== 'string') throw new Error(`no text ${member} in ${JSON.stringify(data)}`);
  return value;
};

const clock = new ManualClock(Date.UTC(2026, 0, 15, 12));
let identity: RunningIdentity;
beforeAll(async () => {
  identity = await RunningIdentity.start(clock);
});
afterAll(() => identity.stop());

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown, account = admin): Promise<Answer> =>
  identity.call({ method, url: `/admin/v1${url}`, account, ...(body === undefined ? {} : { body }) });

async function newAccount(): Promise<string> {
  return textOf(dataOf(await ask('POST', '/accounts', { kind: 'formal', name: 'scopes' })), 'account_id');
}

async function newKey(accountId: string, scopes?: readonly string[]): Promise<JsonObject> {
  // Ids of one millisecond have no order.
  clock.advanceMs(1);
  return dataOf(await ask('POST', `/accounts/${accountId}/api-keys`, { name: 'key', ...(scopes && { scopes }) }));
}

const scopesOf = async (key: JsonObject): Promise<unknown> => {
  const body = { credential: key['api_key'] };
  const answer = await identity.call({ method: 'POST', url: '/internal/credentials:verify', body });
  const assertion = answer.body['assertion'];
  return isJsonObject(assertion) ? assertion['scopes'] : undefined;
};

describe('the scopes of a key', () => {
  it('include manage for the first key of an account that an operator opens, and for no further one', async () => {
    const accountId = await newAccount();
    const first = await newKey(accountId);
    const second = await newKey(accountId);
    expect([first['scopes'], second['scopes']]).toEqual([
      ['call', 'read', 'manage'],
      ['call', 'read'],
    ]);
    await ask('DELETE', `/api-keys/${textOf(first, 'api_key_id')}`);
    expect((await newKey(accountId))['scopes']).toEqual(['call', 'read']);
    expect((await newKey(await newAccount(), ['call']))['scopes']).toEqual(['call']);
  });

  it('grow by a grant, which a later request sees, and never shrink', async () => {
    const key = await newKey(await newAccount(), ['read']);
    const path = `/api-keys/${textOf(key, 'api_key_id')}/scopes`;
    expect(dataOf(await ask('POST', path, { scopes: ['manage'] }))).toEqual({
      api_key_id: key['api_key_id'],
      account_id: key['account_id'],
      scopes: ['read', 'manage'],
    });
    expect(await scopesOf(key)).toEqual(['read', 'manage']);
    expect(dataOf(await ask('POST', path, { scopes: ['read'] }))['scopes']).toEqual(['read', 'manage']);
    const { rows } = await identity.database.pool.query<{ data: JsonObject }>(
      `SELECT data FROM events WHERE type = 'ApiKeyScopesGranted' AND data->>'apiKeyId' = $1`,
      [key['api_key_id']],
    );
    expect(rows.map(({ data }) => [data['scopes'], data['grantedBy']])).toEqual([
      [['read', 'manage'], admin.accountId],
    ]);
  });

  it('are all in the gift of admin, also those that the giver has not, and in that of nothing else, also not what it has', async () => {
    const accountId = await newAccount();
    for (const scope of apiKeyScopes) {
      const issued = await newKey(accountId, [scope]);
      expect(issued['scopes']).toEqual([scope]);
      const path = `/api-keys/${textOf(issued, 'api_key_id')}/scopes`;
      const granted = dataOf(await ask('POST', path, { scopes: apiKeyScopes }));
      expect([granted['scopes'], await scopesOf(issued)]).toEqual([apiKeyScopes, apiKeyScopes]);
    }
    const key = await newKey(accountId, ['call']);
    const others = apiKeyScopes.filter((scope) => scope !== 'admin');
    for (const scopes of [others, ...others.map((scope) => [scope]), []]) {
      // A key of the same account is refused too: a route on which keys manage keys would be another.
      const giver = { ...admin, accountId, scopes };
      const attempts = others.flatMap((scope) => [
        ask('POST', `/api-keys/${textOf(key, 'api_key_id')}/scopes`, { scopes: [scope] }, giver),
        ask('POST', `/accounts/${accountId}/api-keys`, { name: 'key', scopes: [scope] }, giver),
      ]);
      for (const answer of await Promise.all(attempts)) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope', scope: 'admin' } });
      }
    }
    expect(await scopesOf(key)).toEqual(['call']);
  });

  it('are granted by administrators alone, to keys that stand, and only by their names', async () => {
    const key = await newKey(await newAccount(), ['read']);
    const path = `/api-keys/${textOf(key, 'api_key_id')}/scopes`;
    const stranger = { ...admin, scopes: ['call', 'read', 'manage'] };
    expect(await ask('POST', path, { scopes: ['manage'] }, stranger)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', scope: 'admin' },
    });
    for (const scopes of [[], ['everything'], ['read', 'read'], 'manage', undefined]) {
      expect((await ask('POST', path, { scopes })).status).toBe(422);
    }
    expect(
      (await ask('POST', '/api-keys/01940000-0000-7000-8000-000000000000/scopes', { scopes: ['read'] })).status,
    ).toBe(404);
    expect((await ask('POST', '/api-keys/nonsense/scopes', { scopes: ['read'] })).status).toBe(404);
    await ask('DELETE', `/api-keys/${textOf(key, 'api_key_id')}`);
    expect((await ask('POST', path, { scopes: ['manage'] })).status).toBe(409);
    expect((await ask('GET', '/narrowed-api-keys', undefined, stranger)).status).toBe(403);
  });
});

describe('keys of before scopes meant what they say', () => {
  it('get no scope by the migration, and are listed with what they lost until an operator has decided', async () => {
    const { pool } = identity.database;
    await pool.query('UPDATE api_keys SET revoked_at = now()');
    await withQueryRunner(identity.database, (runner) => new NarrowedKeys1763700000005().down(runner));
    const accountId = await newAccount();
    const usual = await newKeyOf(accountId, ['call', 'read']);
    const reader = await newKeyOf(accountId, ['read']);
    const revoked = await newKeyOf(accountId, ['call']);
    await ask('DELETE', `/api-keys/${revoked}`);
    await withQueryRunner(identity.database, (runner) => new NarrowedKeys1763700000005().up(runner));
    const later = await newKeyOf(accountId, ['read']);

    const listed = async (query = ''): Promise<JsonObject> => dataOf(await ask('GET', `/narrowed-api-keys${query}`));
    expect((await listed())['items']).toEqual([
      expect.objectContaining({ api_key_id: usual, scopes: ['call', 'read'], lost_scopes: ['manage'] }),
      expect.objectContaining({ api_key_id: reader, scopes: ['read'], lost_scopes: ['call', 'manage'] }),
    ]);
    const page = await listed('?limit=1');
    expect(page).toEqual({ items: [expect.objectContaining({ api_key_id: usual })], next_after: usual });
    expect((await listed(`?after=${usual}`))['items']).toEqual([expect.objectContaining({ api_key_id: reader })]);
    expect((await ask('GET', '/narrowed-api-keys?after=x')).status).toBe(422);

    await ask('POST', `/api-keys/${reader}/scopes`, { scopes: ['manage'] });
    await ask('POST', `/api-keys/${usual}/scopes`, { scopes: ['read'] });
    expect((await listed())['items']).toEqual([]);
    const { rows } = await pool.query(`SELECT scopes FROM api_keys WHERE api_key_id = ANY($1) ORDER BY api_key_id`, [
      [usual, later],
    ]);
    expect(rows).toEqual([{ scopes: ['call', 'read'] }, { scopes: ['read'] }]);

    async function newKeyOf(account: string, scopes: readonly string[]): Promise<string> {
      return textOf(await newKey(account, scopes), 'api_key_id');
    }
  });
});
