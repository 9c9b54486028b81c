/** @postgres-versions Views that PostgreSQL updates by itself, and privileges on them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Settlements1763700000012 } from '../migrations/0012-settlements.js';
import { createScratchDatabase, withQueryRunner, type ScratchDatabase } from '../test-support/scratch-database.js';

/** As releases write it that know the table by its old name. */
const insertSql = `
INSERT INTO settled_executions
  (execution_id, account_id, status, requested_micro, settled_micro, covered_micro, ledger_entry_id, settlement_seq, settled_at)
SELECT v.*, $9 FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[]) AS v`;
const readSql = 'SELECT execution_id, settled_micro FROM settled_executions WHERE execution_id = ANY($1)';
const holdSql = `
INSERT INTO holds (execution_id, account_id, amount_micro, expires_at, inquire_after, placed_at)
VALUES ('exec_held', 'acc_1', 5, now(), now(), now())`;

describe('replicas of the release before', () => {
  let database: ScratchDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createScratchDatabase();
    ({ pool } = database);
  });
  afterAll(() => database.drop());

  const settle = (id: string): Promise<unknown> =>
    pool.query(insertSql, [[id], ['acc_1'], ['settled'], [7], [7], [0], ['led_1'], [1], '2026-01-01T00:00:00Z']);

  it('settle as before, into the rows that this release reads, and see what this release settled', async () => {
    await settle('exec_old');
    const { rows } = await pool.query('SELECT source_ref_id, settled_micro FROM settlements');
    expect(rows).toEqual([{ source_ref_id: 'exec_old', settled_micro: '7' }]);
    expect((await pool.query(readSql, [['exec_old']])).rows).toEqual([
      { execution_id: 'exec_old', settled_micro: '7' },
    ]);
  });

  it('settle nothing twice', async () => {
    await expect(settle('exec_old')).rejects.toMatchObject({ code: '23505' });
  });

  it.each(['settlements', 'settled_executions'])('may append to %s and change nothing of it', async (table) => {
    for (const change of [`UPDATE ${table} SET settled_micro = 8`, `DELETE FROM ${table}`]) {
      await expect(pool.query(change)).rejects.toThrow('permission denied');
    }
  });

  it('place holds that say when they expire', async () => {
    await pool.query(holdSql);
    expect((await pool.query(`SELECT state FROM holds WHERE execution_id = 'exec_held'`)).rows).toEqual([
      { state: 'open' },
    ]);
  });

  it('find the old names again where the migration is taken back', async () => {
    await withQueryRunner(database, (runner) => new Settlements1763700000012().down(runner));
    await settle('exec_later');
    await expect(pool.query('DELETE FROM settled_executions')).rejects.toThrow('permission denied');
    await withQueryRunner(database, (runner) => new Settlements1763700000012().up(runner));
    expect((await pool.query('SELECT count(*)::int AS rows FROM settlements')).rows).toEqual([{ rows: 2 }]);
  });
});
