import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from './test-support/scratch-database.js';

/** The keys of the tables that have an account, without those of partitions: a distributed table needs its column in each. */
const keysSql = `
SELECT c.relname AS table, string_agg(a.attname, ', ' ORDER BY k.place) AS columns, bool_or(a.attname = 'account_id') AS held
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
 CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
 WHERE i.indisunique AND n.nspname = 'public' AND NOT c.relispartition
   AND (c.relname LIKE 'lot\\_%' OR EXISTS (SELECT 1 FROM pg_attribute x WHERE x.attrelid = c.oid AND x.attname = 'account_id'))
 GROUP BY i.indexrelid, c.relname ORDER BY c.relname, columns`;

const guide = readFileSync(new URL('../../../docs/capacity.md', import.meta.url), 'utf8');

describe('the keys of billing that a distribution by account meets', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('are those that docs/capacity.md names, with the account and without', async () => {
    const { rows } = await database.pool.query<{ table: string; columns: string; held: boolean }>(keysSql);
    const [, section = ''] = guide.split('### Keys\n');
    const told = (section.split(/^#/m)[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .slice(1, 4)
          .map((cell) => cell.trim().replaceAll('`', '')),
      );
    expect(told).toEqual(rows.map(({ table, columns, held }) => [table, columns, held ? 'yes' : 'no']));
  });
});
