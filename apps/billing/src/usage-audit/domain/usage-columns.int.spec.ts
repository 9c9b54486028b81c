import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { usageColumns } from './usage-columns.js';

const schemaSql = `
SELECT column_name AS name, data_type AS type, is_generated = 'ALWAYS' AS generated FROM information_schema.columns
 WHERE table_schema = 'public' AND table_name = 'usage_events'`;

describe('the columns of the usage audit', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('are those of the table, with their types', async () => {
    const { rows } = await database.pool.query<{ name: string; type: string }>(schemaSql);
    const listed = Object.entries(usageColumns).map(([name, { type }]) => [name, type]);
    expect(Object.fromEntries(rows.map(({ name, type }) => [name, type]))).toEqual(Object.fromEntries(listed));
  });

  it('are filled by the schema exactly where nobody may write them, but for the mark that the fact has come', async () => {
    const { rows } = await database.pool.query<{ name: string; generated: boolean }>(schemaSql);
    const generated = rows.filter((row) => row.generated).map(({ name }) => name);
    const ruled = Object.entries(usageColumns).flatMap(([name, { from }]) => (from === 'schema' ? [name] : []));
    expect([...generated, 'recorded'].sort()).toEqual(ruled.sort());
  });
});
