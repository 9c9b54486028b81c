/** @postgres-versions Timeouts and locks end a query with an error of the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { countAndList } from './count-and-list.sql.js';

/** Milliseconds: however slow the machine. */
const LONG_MS = 30_000;
/** Milliseconds for what takes longer than any. */
const SHORT_MS = 200;
const NEVER = 'SELECT pg_sleep(30)';

describe('a list with page and total', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase(1);
  });
  afterAll(() => database.drop());

  const ask = (count: string, list: string, timeoutMs = LONG_MS): Promise<unknown> =>
    countAndList(database.pool, { values: [3], count, list, pageRows: 10, feed: 'GET /the/feed' }, timeoutMs);
  const count = 'SELECT $1::int AS total';
  const list = 'SELECT i FROM generate_series(1, $1::int) AS i';

  it('says the exact total beside the rows', async () => {
    expect(await ask(count, list)).toEqual({ total: 3, rows: [{ i: 1 }, { i: 2 }, { i: 3 }] });
  });

  it.each([
    ['counting', `${NEVER} WHERE $1 > 0`, list],
    ['finding the page', count, `${NEVER} WHERE $1 > 0`],
  ])('is a 503 that names the cursor feed where %s takes too long', async (_what, slowCount, slowList) => {
    await expect(ask(slowCount, slowList, SHORT_MS)).rejects.toMatchObject({
      code: 'service_unavailable',
      httpStatus: 503,
      message: expect.stringContaining('GET /the/feed'),
      options: { retryAfterSeconds: expect.any(Number) },
    });
  });

  it('holds what the table holds that a rebuild has put in its place, while it waited for it', async () => {
    const busy = await createEmptyDatabase();
    const { pool } = busy;
    await pool.query('CREATE TABLE usage_events (id INTEGER); INSERT INTO usage_events VALUES (1)');
    await pool.query('CREATE TABLE usage_events_next (id INTEGER)');
    const rebuild = await pool.connect();
    await rebuild.query('BEGIN; LOCK TABLE usage_events IN ACCESS EXCLUSIVE MODE');
    const answer = countAndList(
      pool,
      {
        values: [0],
        count: 'SELECT count(*) AS total FROM usage_events WHERE id > $1',
        list: 'SELECT id FROM usage_events WHERE id > $1 ORDER BY id',
        pageRows: 10,
        rebuilt: 'usage_events',
        feed: 'GET /the/feed',
      },
      LONG_MS,
    );
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await pool.query(waiting)).rowCount === 0);
    await rebuild.query(`INSERT INTO usage_events_next VALUES (1), (2);
      ALTER TABLE usage_events RENAME TO usage_events_old; ALTER TABLE usage_events_next RENAME TO usage_events; COMMIT`);
    rebuild.release();
    expect(await answer).toEqual({ total: 2, rows: [{ id: 1 }, { id: 2 }] });
    await busy.drop();
  });

  it('leaves the connection as it was, after an answer, a timeout and a fault', async () => {
    await ask(count, list);
    await expect(ask(`${NEVER} WHERE $1 > 0`, list, SHORT_MS)).rejects.toThrow();
    await expect(ask('SELECT nothing FROM nowhere WHERE $1 > 0', list)).rejects.toThrow(/nowhere/);
    const { rows } = await database.pool.query('SHOW statement_timeout');
    expect(rows).toEqual([{ statement_timeout: '0' }]);
    expect((await database.pool.query('SELECT pg_current_xact_id_if_assigned() AS id')).rows).toEqual([{ id: null }]);
  });
});
