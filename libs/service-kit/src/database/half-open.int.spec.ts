import { afterEach, describe, expect, it } from '@jest/globals';
import type { ScratchDatabase } from '@capability-router/event-store/testing';
import { scratchDatabasesOf } from '../testing/scratch-databases.js';
import { SilentProxy } from '../testing/silent-proxy.js';
import { delay } from '../util/timing.js';
import { inTransaction } from '@capability-router/event-store';
import { openDatabase, type Database } from './open-database.js';

const POOL_SIZE = 4;
const STATEMENT_TIMEOUT_MS = 500;
const { createScratchDatabase } = scratchDatabasesOf({ service: 'half_open', migrations: [] });

describe('a database whose connections die without a word', () => {
  let scratch: ScratchDatabase;
  let proxy: SilentProxy;
  let database: Database;

  async function open(): Promise<void> {
    scratch = await createScratchDatabase();
    proxy = await SilentProxy.before(scratch.url);
    database = await openDatabase({
      url: proxy.urlOf(scratch.url),
      poolSize: POOL_SIZE,
      migrations: [],
      applicationName: 'half-open',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    });
    await Promise.all(Array.from({ length: POOL_SIZE }, () => database.pool.query('SELECT pg_sleep(0.05)')));
  }

  afterEach(async () => {
    if (database.dataSource.isInitialized) await database.dataSource.destroy();
    await proxy.close();
    await scratch.drop();
  });

  it('fails what is asked of them, throws them away, and goes on over new ones', async () => {
    await open();
    proxy.fallSilent();
    const asked = Promise.allSettled([
      database.pool.query('SELECT 1'),
      inTransaction(database.pool, (tx) => tx.query('SELECT 1')),
      database.dataSource.query('SELECT 1'),
      database.dataSource.transaction((manager) => manager.query('SELECT 1')),
    ]);
    await delay(50);
    proxy.speakAgain();
    expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
    const after = await Promise.all(
      Array.from({ length: 2 * POOL_SIZE }, () => database.pool.query('SELECT 1 AS one')),
    );
    expect(after.map(({ rows }) => rows)).toEqual(Array.from({ length: 2 * POOL_SIZE }, () => [{ one: 1 }]));
    expect(database.pool.totalCount).toBeLessThanOrEqual(POOL_SIZE);
  });

  it('throws away the idle ones with the first that is found dead', async () => {
    await open();
    proxy.fallSilent();
    const first = database.pool.query('SELECT 1');
    await delay(50);
    proxy.speakAgain();
    await expect(first).rejects.toThrow();
    // One after the other, so that each would meet another of the dead.
    for (let i = 0; i < POOL_SIZE; i += 1) await database.pool.query('SELECT 1');
  });

  it('says within bounds that it does not answer, and that it does again', async () => {
    await open();
    expect(await database.health.answers()).toBe(true);
    await delay(300);
    proxy.fallSilent();
    expect(await database.health.answers()).toBe(false);
    proxy.speakAgain();
    let attempts = 0;
    while (!(await database.health.answers()) && attempts < 100) {
      attempts += 1;
      await delay(50);
    }
    expect(attempts).toBeLessThan(100);
  });

  it('counts as answering while it is busy', async () => {
    await open();
    // Each waits for a connection for longer than the question may take.
    const busy = Array.from({ length: 8 * POOL_SIZE }, () => database.pool.query('SELECT pg_sleep(0.2)'));
    expect(await database.health.answers()).toBe(true);
    await Promise.all(busy);
  });

  it('takes no answer for silence that came while the process itself was held', async () => {
    await open();
    const asked = database.pool.query('SELECT 1 AS one');
    // The question is written, and the proxy, which is held as well, has not passed it on: the answer comes after all of this.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const heldUntil = performance.now() + STATEMENT_TIMEOUT_MS + 2_500;
    while (performance.now() < heldUntil);
    expect((await asked).rows).toEqual([{ one: 1 }]);
  });

  it('does not break off a statement that takes its time, nor a connection that is idle', async () => {
    await open();
    await database.pool.query(`SELECT pg_sleep(${(0.9 * STATEMENT_TIMEOUT_MS) / 1_000})`);
    const { rows: before } = await database.pool.query('SELECT pg_backend_pid() AS pid');
    await delay(STATEMENT_TIMEOUT_MS + 2_500);
    const { rows: after } = await database.pool.query('SELECT pg_backend_pid() AS pid');
    expect(after).toEqual(before);
  });

  it('is closed in time', async () => {
    await open();
    proxy.fallSilent();
    const asked = Promise.allSettled([database.pool.query('SELECT 1')]);
    await delay(50);
    await database.dataSource.destroy();
    expect((await asked).map(({ status }) => status)).toEqual(['rejected']);
  });
});
