/** @postgres-versions The order of changes follows from transaction ids. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { txOrderSql } from '@capability-router/event-store';
import { createScratchDatabase, planOf, type ScratchDatabase } from '@capability-router/event-store/testing';
import { ChangedRowsCopy } from './changed-rows-copy.js';
import { changedRowsSql } from './read-changed-rows.sql.js';

const table = { table: 'followed', key: 'tool_id', columns: ['tool_id'] };
const DEADLINE_MS = 40_000;

describe('the copy of changed rows', () => {
  let database: ScratchDatabase;
  let seen: string[] = [];
  const copy = new ChangedRowsCopy<{ tool_id: string }>(table, (rows) => seen.push(...rows.map((row) => row.tool_id)));
  beforeAll(async () => {
    database = await createScratchDatabase();
    await database.pool.query(
      'CREATE TABLE followed (tool_id TEXT PRIMARY KEY, change_order BIGINT NOT NULL DEFAULT 0)',
    );
  });
  afterAll(() => database.drop());

  const change = `INSERT INTO followed (tool_id, change_order)
    SELECT id, ${txOrderSql()} FROM unnest($1::text[]) AS id
    ON CONFLICT (tool_id) DO UPDATE SET change_order = excluded.change_order`;
  /** The rows that come, until they are `count`. */
  const read = async (count: number): Promise<string[]> => {
    seen = [];
    const end = performance.now() + DEADLINE_MS;
    while (seen.length < count && performance.now() < end) await copy.refresh(database.pool);
    return [...seen].sort();
  };

  it('reads each change once, and a row again when it has changed again', async () => {
    await database.pool.query(change, [['a', 'b', 'c']]);
    expect(await read(3)).toEqual(['a', 'b', 'c']);
    await database.pool.query(change, [['b']]);
    expect(await read(1)).toEqual(['b']);
    seen = [];
    await copy.refresh(database.pool);
    expect(seen).toEqual([]);
  });

  it('leaves out a row that says nothing yet', async () => {
    await database.pool.query(`INSERT INTO followed (tool_id) VALUES ('silent')`);
    await database.pool.query(change, [['after']]);
    expect(await read(1)).toEqual(['after']);
  });

  it('goes by the number of a change, also where numbers get longer', async () => {
    const many = Array.from({ length: 1_500 }, (_, number) => `n${number}`);
    // Half of the changes have a number of fewer digits than the others.
    await database.pool.query(
      `INSERT INTO followed (tool_id, change_order) SELECT id, CASE WHEN n <= 750 THEN 9 ELSE 10 END
         FROM unnest($1::text[]) WITH ORDINALITY AS given(id, n)`,
      [many],
    );
    const own: string[] = [];
    await new ChangedRowsCopy<{ tool_id: string }>(table, (rows) => own.push(...rows.map((row) => row.tool_id))).load(
      database.pool,
    );
    expect(own.filter((id) => id.startsWith('n')).sort()).toEqual([...many].sort());
    await database.pool.query(`DELETE FROM followed WHERE tool_id LIKE 'n%'`);
  });

  it('reads its pages in order of the index while the planner has no statistics', async () => {
    await database.pool.query(
      'CREATE TABLE indexed (tool_id TEXT PRIMARY KEY, change_order BIGINT NOT NULL, text TEXT)',
    );
    await database.pool.query('CREATE INDEX indexed_by_change ON indexed (change_order, tool_id)');
    await database.pool.query(
      `INSERT INTO indexed SELECT 'id' || n, 10 + n, repeat('text ', 100) FROM generate_series(1, 20000) AS n`,
    );
    const sql = changedRowsSql({ table: 'indexed', key: 'tool_id', columns: ['tool_id', 'text'] });
    const plan = await planOf(database.pool, sql, ['0', '', 1_000]);
    expect(plan).toMatch(/Index Scan using indexed_by_change/);
    expect(plan).not.toMatch(/Seq Scan on indexed/);
  });

  it('does not pass by a change that began first and is committed last', async () => {
    const slow = await database.pool.connect();
    try {
      await slow.query('BEGIN');
      await slow.query(change, [['early']]);
      await database.pool.query(change, [['late']]);
      seen = [];
      await copy.refresh(database.pool);
      expect(seen).toEqual([]);
      await slow.query('COMMIT');
    } finally {
      slow.release();
    }
    expect(await read(2)).toEqual(['early', 'late']);
  });

  it('reads more rows of one transaction than a page holds', async () => {
    const ids = Array.from({ length: 2_500 }, (_, index) => `many-${index}`);
    await database.pool.query(change, [ids]);
    expect(await read(ids.length)).toEqual([...ids].sort());
  });
});
