import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { ManualClock, newAccountId, newExecutionId, type AccountId } from '@capability-router/kernel';
import { startS3Server, type S3Server } from '../../test-support/s3-server.js';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { DirectoryStore } from './directory-store.js';
import { KeptResults } from './kept-results.js';
import { contentOf } from './result-store.conformance.js';
import { nameOf, type ResultKey, type ResultStore } from './result-store.js';
import { S3Store } from './s3-store.js';
import { NotKept, TookTooLong } from './write-bounds.js';

const LIFETIME_MS = 7_200_000;
const GRACE_MS = 60_000;
const CLOCK_SKEW_MS = 600_000;
const ABANDONED_MS = 600_000;
/** Milliseconds; more than a slow machine needs. */
const TIMEOUT_MS = 60_000;
const limits = {
  maxTotalBytes: 1_000,
  maxAccountBytes: 400,
  maxResultBytes: 300,
  lifetimeMs: LIFETIME_MS,
  timeoutMs: TIMEOUT_MS,
};

describe.each(['directory', 's3'] as const)('results kept within bounds, in the %s store', (kind) => {
  let database: ScratchDatabase;
  let server: S3Server | undefined;
  let directory: string;
  let store: ResultStore;
  let clock: ManualClock;
  let kept: KeptResults;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(async () => {
    await database.drop();
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kept-results-'));
    server = kind === 's3' ? await startS3Server() : undefined;
    store =
      server === undefined
        ? new DirectoryStore(directory)
        : new S3Store({
            bucket: server.bucket,
            prefix: `kept-${newExecutionId(0)}/`,
            region: 'us-east-1',
            endpoint: server.endpoint,
            pathStyle: true,
            timeoutMs: TIMEOUT_MS,
            // The server is in this process, which is busy with all that is written at once.
            connectTimeoutMs: TIMEOUT_MS,
          });
    clock = new ManualClock(Date.now());
    kept = replica();
  });
  afterEach(async () => {
    store.close();
    await server?.close();
    await rm(directory, { recursive: true });
    await database.pool.query('DELETE FROM stored_results');
  });

  const replica = (): KeptResults =>
    new KeptResults(store, database.pool, clock, { resultStore: limits }, new Registry());
  const names = async (accountId?: AccountId): Promise<string[]> =>
    (await store.list(accountId === undefined ? {} : { accountId })).objects.map(({ name }) => name).sort();
  const books = async (): Promise<string[]> => {
    const { rows } = await database.pool.query<{ account_id: AccountId; execution_id: ResultKey['executionId'] }>(
      'SELECT account_id, execution_id FROM stored_results',
    );
    return rows.map((row) => nameOf({ accountId: row.account_id, executionId: row.execution_id })).sort();
  };
  /** One after the other in time. */
  async function keep(accountId: AccountId, sizeBytes: number, by = kept): Promise<ResultKey> {
    clock.advanceMs(1);
    const key = { accountId, executionId: newExecutionId(clock.nowMs()) };
    await by.save(key, Buffer.alloc(sizeBytes, 'x'));
    return key;
  }
  const accounts = (count: number): AccountId[] => Array.from({ length: count }, () => newAccountId(clock.nowMs()));

  it('gives back what it keeps, and keeps nothing beyond the size of one result', async () => {
    const [account] = accounts(1) as [AccountId];
    const key = await keep(account, 300);
    const found = await kept.open(key);
    expect(found?.sizeBytes).toBe(300);
    await found?.close();
    await expect(keep(account, 301)).rejects.toThrow(NotKept);
    expect(await names()).toEqual([nameOf(key)]);
    expect(await books()).toEqual([nameOf(key)]);
  });

  it('lets an account that fills its share lose its own oldest, at the write, and never another its', async () => {
    const [full, other] = accounts(2) as [AccountId, AccountId];
    const others = await keep(other, 200);
    const own = [await keep(full, 150), await keep(full, 150), await keep(full, 100), await keep(full, 150)];
    expect(await names(full)).toEqual(own.slice(1).map(nameOf).sort());
    expect(await names(other)).toEqual([nameOf(others)]);
    expect(await books()).toEqual(await names());
  });

  it('holds the total at the write, over replicas, and whoever has the most loses the oldest', async () => {
    const [large, second, small] = accounts(3) as [AccountId, AccountId, AccountId];
    const others = await keep(small, 100);
    const older = replica();
    const first = await keep(large, 200, older);
    await keep(large, 200, older);
    for (let each = 0; each < 3; each += 1) await keep(second, 110);
    // Results that another replica wrote are counted once the last count is old.
    clock.advanceMs(5_000);
    await keep(second, 70, older);
    // 900 of 1,000 bytes so far.
    expect(await names(large)).toHaveLength(2);
    clock.advanceMs(5_000);
    await keep(small, 150);
    expect(await names(small)).toHaveLength(2);
    expect(await names(small)).toContain(nameOf(others));
    expect(await names()).not.toContain(nameOf(first));
    expect(await books()).toEqual(await names());
    const { rows } = await database.pool.query<{ bytes: string }>(
      'SELECT sum(size_bytes) AS bytes FROM stored_results',
    );
    expect(Number(rows[0]?.bytes)).toBeLessThanOrEqual(limits.maxTotalBytes);
  });

  it('holds both bounds when many write at once', async () => {
    const all = accounts(6);
    const replicas = [kept, replica()];
    const writes = Array.from({ length: 60 }, (_, index) =>
      keep(all[index % all.length] as AccountId, 40 + (index % 5) * 20, replicas[index % 2]).catch((error: unknown) => {
        if (!(error instanceof NotKept)) throw error;
      }),
    );
    await Promise.all(writes);
    clock.advanceMs(5_000);
    await kept.sweep();
    const { rows } = await database.pool.query<{ bytes: string }>(
      'SELECT sum(size_bytes) AS bytes FROM stored_results GROUP BY account_id',
    );
    const shares = rows.map(({ bytes }) => Number(bytes));
    expect(Math.max(...shares)).toBeLessThanOrEqual(limits.maxAccountBytes);
    expect(shares.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(limits.maxTotalBytes);
    // Whatever is in the books is in the store.
    const stored = new Set(await names());
    expect((await books()).filter((name) => !stored.has(name))).toEqual([]);
  });

  it('sweeps what is past its lifetime, and not a moment before its link has ended', async () => {
    const [account] = accounts(1) as [AccountId];
    const key = await keep(account, 10);
    clock.advanceMs(LIFETIME_MS + GRACE_MS);
    expect(await kept.sweep()).toEqual({ removed: 0, evicted: 0 });
    expect(await contentOf(store, key)).toBe('x'.repeat(10));
    clock.advanceMs(1);
    expect(await kept.sweep()).toEqual({ removed: 1, evicted: 0 });
    expect([await names(), await books()]).toEqual([[], []]);
    expect(await kept.open(key)).toBeUndefined();
  });

  it('finds by its age what no book knows of, and touches nothing that is not its own', async () => {
    const [account] = accounts(1) as [AccountId];
    const key = await keep(account, 10);
    await database.pool.query('DELETE FROM stored_results');
    expect(await kept.sweep()).toEqual({ removed: 0, evicted: 0 });
    if (kind === 'directory') {
      await writeFile(join(directory, 'notes.json'), 'mine');
      const part = join(directory, account, '0190c0de-0000-4000-8000-000000000000.tmp');
      await writeFile(part, 'part');
      const anHourAgo = (clock.nowMs() - ABANDONED_MS - 1_000) / 1_000;
      await utimes(part, anHourAgo, anHourAgo);
      await utimes(join(directory, 'notes.json'), 1, 1);
      expect(await kept.sweep()).toEqual({ removed: 1, evicted: 0 });
      expect(await names(account)).toEqual([nameOf(key)]);
    }
    // The store has its own time, and may have taken a while to write.
    clock.advanceMs(LIFETIME_MS + GRACE_MS + CLOCK_SKEW_MS + 60_000);
    expect(await kept.sweep()).toEqual({ removed: 1, evicted: 0 });
    expect(await names(account)).toEqual([]);
    if (kind === 'directory') expect(await readdir(directory)).toEqual(['notes.json']);
  });

  it('goes on past what it may not touch, and tells of it', async () => {
    if (kind === 's3') return;
    const [own, other] = accounts(2) as [AccountId, AccountId];
    const closed = await keep(own, 10);
    // Whoever runs the tests may be let through everywhere, so permissions alone would keep nobody out.
    await rm(join(directory, nameOf(closed)));
    await mkdir(join(directory, nameOf(closed)));
    await symlink('acc_loop', join(directory, 'acc_loop'));
    await keep(other, 10);
    clock.advanceMs(LIFETIME_MS + GRACE_MS + 1);
    const swept = await kept.sweep();
    expect(swept).toMatchObject({ removed: 1, evicted: 0 });
    expect(swept.inaccessible?.map(({ object }) => object).sort()).toEqual([nameOf(closed), 'acc_loop'].sort());
    expect([await names(), await books()]).toEqual([[], []]);
    expect((await kept.sweep()).inaccessible?.map(({ object }) => object)).toEqual(['acc_loop']);
    await expect(store.list({ accountId: 'acc_loop' as AccountId })).rejects.toMatchObject({ code: 'ELOOP' });
    await expect(store.remove(nameOf(closed))).rejects.toThrow('not accessible');
    await rm(join(directory, 'acc_loop'));
  });

  it('removes everything of an account, in the books or not, and nothing of others', async () => {
    const [erased, other] = accounts(2) as [AccountId, AccountId];
    await keep(erased, 10);
    await store.save({ accountId: erased, executionId: newExecutionId(0) }, Buffer.from('unknown'));
    const left = await keep(other, 10);
    expect(await kept.removeAccount(erased)).toBe(2);
    expect([await names(), await books()]).toEqual([[nameOf(left)], [nameOf(left)]]);
    expect(await kept.removeAccount(erased)).toBe(0);
  });

  it('is waited for no longer than its time limit, nor than the caller has, and what comes late is removed', async () => {
    const [account] = accounts(1) as [AccountId];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const slow: ResultStore = Object.assign(Object.create(store) as ResultStore, {
      save: async (key: ResultKey, content: Buffer) => {
        await gate;
        await store.save(key, content);
      },
    });
    const registry = new Registry();
    const impatient = { ...limits, timeoutMs: 50 };
    const hanging = new KeptResults(slow, database.pool, clock, { resultStore: impatient }, registry);
    await expect(keep(account, 10, hanging)).rejects.toThrow(TookTooLong);
    const patient = new KeptResults(slow, database.pool, clock, { resultStore: limits }, new Registry());
    const key = { accountId: account, executionId: newExecutionId(clock.nowMs()) };
    await expect(patient.save(key, Buffer.from('x'), clock.nowMs() + 50)).rejects.toThrow(TookTooLong);
    await expect(patient.save(key, Buffer.from('x'), clock.nowMs())).rejects.toThrow(TookTooLong);
    open();
    while ((await books()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await names()).toEqual([]);
    const text = await registry.metrics();
    expect(text).toContain('result_store_writes_total{result="late"} 1');
    expect(text).not.toContain('result="kept"');
  });

  it('has no book of what the store did not take', async () => {
    const [account] = accounts(1) as [AccountId];
    const failing: ResultStore = Object.assign(Object.create(store) as ResultStore, {
      save: () => Promise.reject(new Error('away')),
    });
    const broken = new KeptResults(failing, database.pool, clock, { resultStore: limits }, new Registry());
    await expect(keep(account, 10, broken)).rejects.toThrow('away');
    expect(await books()).toEqual([]);
  });
});
