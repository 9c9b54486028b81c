/** @postgres-versions Which plan the statements have. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planOf } from '@capability-router/event-store/testing';
import { listSql } from '../list/list-capabilities.sql.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { findDeclaration, findDeclarationSql } from './declared-capabilities.sql.js';

const TOOLS = 20_000;

describe('what tools declare, of many tools', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
    await database.owner.query(
      `INSERT INTO declared_capabilities
       SELECT 'p.r' || i || '.get.v1', 1, ARRAY['p.r' || i % ($1::int / 2)], jsonb_build_object('en', 'Tool ' || i)
         FROM generate_series(1, $1::int) AS i`,
      [TOOLS],
    );
    await database.owner.query('ANALYZE declared_capabilities');
  });
  afterAll(() => database.drop());

  it('is found by the index of ids, also for each capability of a page', async () => {
    const plans = [
      await planOf(database.owner, findDeclarationSql, ['p.r7']),
      await planOf(database.owner, listSql, [[], 0, 50, '', '']),
    ];
    for (const plan of plans) {
      expect(plan).toContain('declared_capabilities_by_id');
      expect(plan).not.toContain('declared_capabilities_pkey');
    }
  });

  it('is told by the first of the tools that declare it', async () => {
    expect(await findDeclaration(database.pool, 'p.r7')).toEqual({ en: 'Tool 10007' });
    expect(await findDeclaration(database.pool, 'p.none')).toBeUndefined();
  });
});
