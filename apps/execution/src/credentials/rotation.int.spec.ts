import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { AccountAssertion } from '@capability-router/contracts';
import { newAccountId, systemClock, type JsonObject } from '@capability-router/kernel';
import { startKeyedProvider, type KeyedProvider } from '../test-support/keyed-provider.js';
import { startExecution, type Answer, type RunningExecution } from '../test-support/running-execution.js';
import { CredentialStore, sealFields } from './credential-store.js';
import { findCredential, saveCredential } from './stored-credentials.js';
import { parseSealingKeys } from './sealing/sealing-keys.js';

const entry = (id: string, byte: string): string => `${id}:${byte.repeat(32)}`;
const [k1, k2, lost] = [entry('k1', 'a1'), entry('k2', 'b2'), entry('lost', 'c3')];
/** More than one request seals anew. */
const ACCOUNTS = 1_150;

const operator: AccountAssertion = {
  accountId: newAccountId(systemClock.nowMs()),
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};
const accountOf = (index: number): string => `acc_${index.toString(16).padStart(32, '0')}`;

let provider: KeyedProvider;
/** The old release of the configuration, and the one that rotates. */
let before: RunningExecution;
let rotating: RunningExecution;

beforeAll(async () => {
  provider = await startKeyedProvider();
  const tools = [provider.tool('weather', 'now', {}), provider.tool('mail', 'read', {}, { credential: 'account' })];
  before = await startExecution(tools, undefined, {}, undefined, { credentialKeys: k1 });
  rotating = await before.replica({ credentialKeys: `${k2},${k1}` });
}, 60_000);
afterAll(async () => {
  await rotating.stop();
  await before.stop();
  await provider.close();
});

const rotate = async (on: RunningExecution, after?: unknown): Promise<JsonObject> => {
  const body = after === undefined ? undefined : { after };
  const answer = await on.send('POST', '/admin/v1/provider-credentials:rotate', body, operator);
  expect(answer.status).toBe(200);
  return answer.body['data'] as JsonObject;
};
const call = (on: RunningExecution): Promise<Answer> =>
  on.call({ tool_id: 'weather.now.get.v1', parameters: { city: 'Bern' } });

/** As if it had been set at a time at which these keys were in use. */
async function plant(keys: string, ownerId: string): Promise<void> {
  const now = new Date(systemClock.nowMs());
  const place = { ownerId, providerId: 'mail', revision: randomUUID(), setAt: now, sealedAt: now };
  const sealed = sealFields(parseSealingKeys(keys), place, { token: `sesame-${ownerId}` });
  await saveCredential(before.database.pool, sealed);
}

describe('the rotation of keys', () => {
  it('seals all anew in steps, changes no value, can be broken off and repeated, and tells what it could not open', async () => {
    await before.send('PUT', '/admin/v1/providers/weather/credentials', { fields: { token: 'sesame-1' } }, operator);
    await Promise.all(Array.from({ length: ACCOUNTS }, (_, index) => plant(index === 7 ? lost : k1, accountOf(index))));
    const { pool } = before.database;
    const revisions = async (): Promise<unknown[]> =>
      (await pool.query('SELECT owner_id, revision, set_at FROM provider_credentials ORDER BY owner_id')).rows;
    const known = await revisions();

    const first = await rotate(rotating);
    expect(first).toMatchObject({ current_key_id: 'k2', resealed: 999, unreadable_count: 1 });
    expect(first['unreadable']).toEqual([
      { owner: accountOf(7), provider_id: 'mail', key_id: 'lost', reason: 'unknown_key' },
    ]);
    // Both read everything meanwhile.
    for (const on of [before, rotating]) {
      expect((await call(on)).body).toMatchObject({ success: true });
    }
    const second = await rotate(rotating, first['next_after']);
    expect(second).toMatchObject({ resealed: 151, unreadable_count: 0 });
    expect(second).not.toHaveProperty('next_after');
    expect(await rotate(rotating)).toMatchObject({ resealed: 0, unreadable_count: 1 });
    expect(await revisions()).toEqual(known);

    const listed = await rotating.send('GET', '/admin/v1/provider-credentials', undefined, operator);
    expect(listed.body['data']).toMatchObject({
      current_key_id: 'k2',
      sealed_with: [
        { key_id: 'k2', credentials: ACCOUNTS, known: true },
        { key_id: 'lost', credentials: 1, known: false },
      ],
    });
    const after = await before.replica({ credentialKeys: k2 });
    try {
      expect((await call(after)).body).toMatchObject({ success: true });
      expect(provider.requests.at(-1)?.headers.authorization).toBe('Bearer sesame-1');
    } finally {
      await after.stop();
    }
  }, 120_000);

  it('leaves alone what is set while it runs', async () => {
    await plant(k1, accountOf(0));
    await Promise.all([
      rotate(rotating),
      rotate(rotating),
      ...['sesame-2', 'sesame-3'].map((token) =>
        rotating.send('PUT', '/admin/v1/providers/weather/credentials', { fields: { token } }, operator),
      ),
    ]);
    expect((await call(rotating)).body).toMatchObject({ success: true });
    expect(provider.requests.at(-1)?.headers.authorization).toMatch(/^Bearer sesame-[23]$/);
  });

  it('is not needed to tell one revision of a credential from another: nothing is opened for that', async () => {
    const { pool } = before.database;
    const key = { ownerId: accountOf(99_999), providerId: 'mail' };
    await plant(lost, key.ownerId);
    const store = new CredentialStore(pool, systemClock, { credentialKeys: parseSealingKeys(k2) });
    const query = { providerId: 'mail', accountId: key.ownerId };
    await expect(store.find(query)).rejects.toThrow();
    expect(await store.revision(query)).toBe((await findCredential(pool, key))?.revision);
    expect(await store.revision({ ...query, accountId: accountOf(99_998) })).toBeUndefined();
  });

  it('is asked for by operators only, with a place that it gave', async () => {
    const path = '/admin/v1/provider-credentials:rotate';
    expect((await rotating.send('POST', path, undefined, { ...operator, scopes: [] })).status).toBe(403);
    expect(await rotating.send('POST', path, { after: 'no place' }, operator)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'after'], msg: 'after must be next_after of the answer before' }] },
    });
  });
});
