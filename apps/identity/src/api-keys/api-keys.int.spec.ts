import { readStream } from '@capability-router/event-store';
import { formatApiKey, parseCredits } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openAccount } from '../accounts/open-account.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from './api-key.js';
import { lockKeys } from './find-key-by-id.sql.js';
import { issueApiKey, type IssueApiKey } from './issue-api-key.js';
import { listApiKeys, MAX_KEYS_LISTED } from './list-api-keys.sql.js';
import { recordUses } from './record-uses.sql.js';
import { revokeApiKey } from './revoke-api-key.js';
import { verifyCredential } from './verify-credential.js';

const nowMs = Date.UTC(2026, 0, 15, 10);
const limits = { maxCallCredits: parseCredits('5') };

describe('the life of an API key', () => {
  let database: ScratchDatabase;
  let accountId: string;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => (accountId = await open('formal')));

  async function open(kind: 'trial' | 'formal'): Promise<string> {
    const grant = { category: 'welcome_bonus', amount: parseCredits('1') } as const;
    const result = await inTransaction(database.pool, (tx) => openAccount(tx, { kind, name: 'Test', grant, nowMs }));
    if (result.status !== 'opened') throw new Error(result.status);
    return result.accountId;
  }

  async function issue(overrides: Partial<IssueApiKey> = {}): Promise<{ apiKeyId: string; apiKey: string }> {
    const command: IssueApiKey = { accountId, name: 'laptop', scopes: ['call', 'read'], nowMs, ...overrides };
    const result = await inTransaction(database.pool, (tx) => issueApiKey(tx, command));
    if (result.status !== 'issued') throw new Error(result.status);
    return result;
  }

  const verify = (credential: string, atMs = nowMs) => verifyCredential(database.pool, credential, limits, atMs);
  const revoke = (apiKeyId: string, atMs = nowMs) =>
    inTransaction(database.pool, (tx) => revokeApiKey(tx, apiKeyId, atMs));

  it('verifies an issued key as its account with its scopes', async () => {
    const { apiKeyId, apiKey } = await issue();
    expect(await verify(apiKey)).toEqual({
      valid: true,
      assertion: {
        accountId,
        accountKind: 'formal',
        credentialType: 'api_key',
        apiKeyId,
        scopes: ['call', 'read'],
      },
      apiKeyName: 'laptop',
      maskedValue: `${apiKey.slice(0, 7)}…${apiKey.slice(-4)}`,
      ratePlan: { name: 'formal', perMinute: {} },
    });
  });

  it('asserts the price limit of a trial account', async () => {
    const { apiKey } = await issue({ accountId: await open('trial') });
    expect(await verify(apiKey)).toMatchObject({ assertion: { accountKind: 'trial', maxCallMicroCredits: '5000000' } });
  });

  it('stores the key nowhere: not in the table, not in an event', async () => {
    const { apiKey } = await issue();
    const { rows } = await database.pool.query<{ text: string }>(
      `SELECT api_keys::text AS text FROM api_keys UNION ALL SELECT events::text FROM events`,
    );
    const secret = apiKey.slice(3, -6);
    expect(rows.filter((row) => row.text.includes(secret))).toEqual([]);
    const hex = Buffer.from(apiKey).toString('hex');
    expect(rows.filter((row) => row.text.includes(hex))).toEqual([]);
  });

  it('refuses a malformed key without a query', async () => {
    let queries = 0;
    const counting = {
      query: () => Promise.resolve({ rows: [], n: (queries += 1) }),
    } as unknown as typeof database.pool;
    const { apiKey } = await issue();
    const typo = apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a');
    expect(await verifyCredential(counting, typo, limits, nowMs)).toEqual({ valid: false });
    expect(queries).toBe(0);
    expect(await verifyCredential(counting, apiKey, limits, nowMs)).toEqual({ valid: false });
    expect(queries).toBe(1);
  });

  it('refuses a well-formed key that was never issued', async () => {
    expect(await verify(formatApiKey('0'.repeat(28)))).toEqual({ valid: false });
  });

  it('refuses an expired key', async () => {
    const { apiKey } = await issue({ expiresAtMs: nowMs + 1_000 });
    expect(await verify(apiKey, nowMs + 999)).toMatchObject({ valid: true });
    expect(await verify(apiKey, nowMs + 1_000)).toEqual({ valid: false });
  });

  it('refuses every key of a suspended account', async () => {
    const { apiKey } = await issue();
    await database.pool.query(`UPDATE accounts SET status = 'suspended' WHERE account_id = $1`, [accountId]);
    expect(await verify(apiKey)).toEqual({ valid: false });
  });

  it('refuses a revoked key at once, and records one revocation however often it is asked', async () => {
    const { apiKeyId, apiKey } = await issue();
    const results = await Promise.all(Array.from({ length: 8 }, (_, i) => revoke(apiKeyId, nowMs + i)));
    expect(results.filter((result) => result.status === 'revoked')).toHaveLength(1);
    expect(new Set(results.map((result) => result.status !== 'unknown_key' && result.revokedAtMs)).size).toBe(1);
    expect(await verify(apiKey)).toEqual({ valid: false });
    const events = await readStream(database.pool, accountId);
    expect(events.map((event) => [event.sequence, event.type])).toEqual([
      [1, 'AccountOpened'],
      [2, 'ApiKeyIssued'],
      [3, 'ApiKeyRevoked'],
    ]);
    expect(events[2]?.data).toMatchObject({ accountId, apiKeyId });
  });

  it('knows no key that does not exist', async () => {
    expect(await revoke('01940000-0000-7000-8000-000000000000')).toEqual({ status: 'unknown_key' });
  });

  it('leaves neither key nor event when the transaction fails after both', async () => {
    await expect(
      inTransaction(database.pool, async (tx) => {
        await issueApiKey(tx, { accountId, name: 'lost', scopes: ['call'], nowMs });
        throw new Error('the process died here');
      }),
    ).rejects.toThrow('the process died here');
    expect((await listApiKeys(database.pool, accountId))?.keys).toEqual([]);
    expect(await readStream(database.pool, accountId)).toHaveLength(1);
  });

  it('keeps the stream dense and the number of keys bounded under concurrent requests', async () => {
    const attempts = Array.from({ length: MAX_ACTIVE_KEYS_PER_ACCOUNT + 5 }, (_, i) =>
      inTransaction(database.pool, (tx) => issueApiKey(tx, { accountId, name: `k${i}`, scopes: ['call'], nowMs })),
    );
    const statuses = (await Promise.all(attempts)).map((result) => result.status);
    expect(statuses.filter((status) => status === 'too_many_keys')).toHaveLength(5);
    const events = await readStream(database.pool, accountId);
    expect(events.map((event) => event.sequence)).toEqual(events.map((_, i) => i + 1));
    expect(events).toHaveLength(1 + MAX_ACTIVE_KEYS_PER_ACCOUNT);
  });

  it('issues no key for an unknown or inactive account', async () => {
    await expect(issue({ accountId: `acc_${'0'.repeat(32)}` })).rejects.toThrow('unknown_account');
    await database.pool.query(`UPDATE accounts SET status = 'closed' WHERE account_id = $1`, [accountId]);
    await expect(issue()).rejects.toThrow('account_not_active');
  });

  it('lists a key that works before all that have expired, however many', async () => {
    const { apiKeyId } = await issue({ name: 'lasting' });
    await database.pool.query(
      `INSERT INTO api_keys (api_key_id, account_id, key_hash, masked_value, name, scopes, issued_at, expires_at)
       SELECT ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1, sha256(($1 || n)::bytea), 'sk-', 'short', '{call}',
              now() - interval '2 hours', now() - interval '1 hour' FROM generate_series(1, $2) AS n`,
      [accountId, MAX_KEYS_LISTED + 5],
    );
    const list = await listApiKeys(database.pool, accountId);
    expect([list?.hasMore, list?.keys.length]).toEqual([true, MAX_KEYS_LISTED]);
    expect(list?.keys[0]).toMatchObject({ apiKeyId, name: 'lasting' });
    const rest = await listApiKeys(database.pool, accountId, list?.keys.at(-1)?.apiKeyId);
    expect([
      rest?.hasMore,
      new Set([...(list?.keys ?? []), ...(rest?.keys ?? [])].map((key) => key.apiKeyId)).size,
    ]).toEqual([false, 1 + MAX_KEYS_LISTED + 5]);
  });

  it('records uses in the order of ids, so that it waits for whoever changes several keys and is not waited for', async () => {
    const [a, b] = [await issue({ name: 'a' }), await issue({ name: 'b', nowMs: nowMs + 1 })];
    // The row of the lower id is the last of the table, as after any change of it.
    await database.pool.query(`UPDATE api_keys SET name = 'moved' WHERE api_key_id = $1`, [a.apiKeyId]);
    // As the update is planned where many keys were used: the table is read in its own order.
    const options = '-c enable_nestloop=off -c enable_mergejoin=off -c enable_indexscan=off -c enable_bitmapscan=off';
    const reading = new pg.Pool({ connectionString: database.url, options, max: 1 });
    const tx = await database.pool.connect();
    try {
      await tx.query('BEGIN');
      await lockKeys(tx, [a.apiKeyId]);
      const at = new Date(nowMs);
      const recorded = recordUses(reading, { ids: [a.apiKeyId, b.apiKeyId], times: [at, at] });
      await waits();
      expect(
        (await tx.query('SELECT 1 FROM api_keys WHERE api_key_id = $1 FOR UPDATE NOWAIT', [b.apiKeyId])).rowCount,
      ).toBe(1);
      await tx.query('COMMIT');
      await recorded;
    } finally {
      tx.release();
      await reading.end();
    }
    const keys = (await listApiKeys(database.pool, accountId))?.keys;
    expect(keys?.map(({ lastUsedAt }) => lastUsedAt?.getTime())).toEqual([nowMs, nowMs]);

    async function waits(): Promise<void> {
      const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await database.owner.query(sql)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });

  it('lists active keys before revoked ones, and no keys of an unknown account', async () => {
    const first = await issue({ name: 'first' });
    await issue({ name: 'second', nowMs: nowMs + 1 });
    await revoke((await issue({ name: 'third', nowMs: nowMs + 2 })).apiKeyId);
    const list = await listApiKeys(database.pool, accountId);
    expect(list?.keys.map((key) => key.name)).toEqual(['second', 'first', 'third']);
    expect(list?.keys[1]?.apiKeyId).toBe(first.apiKeyId);
    expect(await listApiKeys(database.pool, `acc_${'f'.repeat(32)}`)).toBeUndefined();
  });
});
