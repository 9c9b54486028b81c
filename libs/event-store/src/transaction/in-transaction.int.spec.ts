import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createScratchDatabase } from '../testing/index.js';
import { inTransaction } from './in-transaction.js';

type Scratch = Awaited<ReturnType<typeof createScratchDatabase>>;

describe('a transaction', () => {
  let database: Scratch;
  beforeAll(async () => {
    database = await createScratchDatabase();
    await database.pool.query('CREATE TABLE things (n INT)');
  });
  beforeEach(() => database.pool.query('TRUNCATE things'));
  afterAll(() => database.drop());

  const add = (n: number) => database.pool.query('INSERT INTO things VALUES ($1)', [n]);
  const countSql = 'SELECT count(*)::int AS count FROM things';

  it.each([
    ['sees what is committed meanwhile', {}, [0, 1]],
    ['sees one moment where it asks for a snapshot', { isolation: 'snapshot' as const }, [0, 0]],
  ])('%s', async (_what, options, counts) => {
    const seen = await inTransaction(
      database.pool,
      async (tx) => {
        const before = await tx.query<{ count: number }>(countSql);
        await add(1);
        const after = await tx.query<{ count: number }>(countSql);
        return [before.rows[0]?.count, after.rows[0]?.count];
      },
      options,
    );
    expect(seen).toEqual(counts);
  });

  it('says that nothing was committed where the work goes on after a statement that failed', async () => {
    const work = inTransaction(database.pool, async (tx) => {
      await tx.query('INSERT INTO things VALUES (1)');
      await tx.query('SELECT 1 / 0').catch(() => undefined);
    });
    await expect(work).rejects.toThrow('nothing was committed');
    expect((await database.pool.query(countSql)).rows).toEqual([{ count: 0 }]);
  });

  it('writes nothing where it is to read only, and nothing of what failed', async () => {
    const write = (options: object) =>
      inTransaction(
        database.pool,
        async (tx) => {
          await tx.query('INSERT INTO things VALUES (1)');
          throw new Error('a bug');
        },
        options,
      );
    await expect(write({ readOnly: true })).rejects.toThrow(/read-only transaction/);
    await expect(write({})).rejects.toThrow('a bug');
    // The connection is back, and in no transaction.
    await add(2);
    expect((await database.pool.query(countSql)).rows).toEqual([{ count: 1 }]);
  });
});
