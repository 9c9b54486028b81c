/** @postgres-versions Migrations change tables that have rows. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { Exceptions1763700000009 } from '../migrations/0009-exceptions.js';
import { createOlderDatabase, type OlderDatabase } from '../test-support/scratch-database.js';
import { listExceptions } from './exceptions.sql.js';

/** As releases before this one write it. */
const insertSql = `
INSERT INTO settlement_exceptions (execution_id, account_id, kind, requested_micro, raised_at)
SELECT v.*, $5 FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS v`;

let database: OlderDatabase;
let pool: pg.Pool;
const insert = (...executionIds: string[]) =>
  pool.query(insertSql, [
    executionIds,
    executionIds.map(() => 'acc_1'),
    executionIds.map(() => 'missing_hold'),
    executionIds.map(() => '7'),
    '2026-01-01T00:00:00Z',
  ]);

beforeAll(async () => {
  database = await createOlderDatabase(Exceptions1763700000009);
  ({ pool } = database);
  await insert('exec_a', 'exec_b');
  await database.migrate();
});
afterAll(() => database.drop());

describe('exceptions of releases before the queue', () => {
  it('are in it, and so are those that an older replica raises meanwhile', async () => {
    await insert('exec_c');
    const open = await listExceptions(pool, { state: 'open' }, { beforeSeq: undefined, rows: 10 });
    expect(open.map((one) => [one.execution_id, one.kind, one.requested_micro]).sort()).toEqual([
      ['exec_a', 'missing_hold', '7'],
      ['exec_b', 'missing_hold', '7'],
      ['exec_c', 'missing_hold', '7'],
    ]);
    expect(new Set(open.map((one) => one.exception_id)).size).toBe(3);
  });

  it('still stand once: a second one of the same call and kind is refused', async () => {
    await expect(insert('exec_a')).rejects.toMatchObject({ code: '23505' });
  });

  it.each(['settlement_exception_actions', 'outcome_revisions'])('keep %s append-only', async (table) => {
    await expect(database.owner.query(`TRUNCATE ${table}`)).rejects.toThrow('append-only');
    await expect(pool.query(`TRUNCATE ${table}`)).rejects.toThrow('permission denied');
  });
});
