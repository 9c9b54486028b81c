import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';

const HASH = '0123456789abcdef'.repeat(4);
const hashColumns = [
  ['tools', 'schema_hash'],
  ['tools', 'contract_hash'],
  ['tool_versions', 'schema_hash'],
  ['tool_versions', 'contract_hash'],
  ['tool_proposals', 'schema_hash'],
  ['tool_proposals', 'contract_hash'],
  ['tool_embeddings', 'content_hash'],
] as const;

describe('the cheap checks of hashes and ids', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  /** The answer of the check of a column for each value. */
  const verdicts = async (table: string, column: string, values: readonly string[]): Promise<boolean[]> => {
    const { rows } = await database.pool.query<{ expression: string }>(
      `SELECT pg_get_expr(conbin, conrelid) AS expression FROM pg_constraint WHERE conrelid = $1::regclass AND conname = $2`,
      [table, `${table}_${column}_check`],
    );
    const checked = await database.pool.query<{ ok: boolean }>(
      `SELECT ${rows[0]?.expression ?? ''} AS ok FROM unnest($1::text[]) WITH ORDINALITY AS v(${column}, n) ORDER BY n`,
      [values],
    );
    return checked.rows.map(({ ok }) => ok);
  };

  it.each(hashColumns)('let a hash pass in %s.%s, and nothing else', async (table, column) => {
    const wrong = [
      '',
      HASH.slice(1),
      `${HASH}0`,
      HASH.toUpperCase(),
      `${HASH.slice(1)}g`,
      `${HASH.slice(1)}\n`,
      `${HASH}\n`,
    ];
    expect(await verdicts(table, column, [HASH, ...wrong])).toEqual([true, ...wrong.map(() => false)]);
  });

  it('let an id of a search pass, and nothing else', async () => {
    const hex = HASH.slice(0, 32);
    const wrong = [
      '',
      hex,
      `srch_${hex.slice(1)}`,
      `srch_${hex}0`,
      `SRCH_${hex}`,
      `srch_${hex.slice(1)}g`,
      `srch-${hex}`,
    ];
    const said = await verdicts('search_results', 'search_id', [`srch_${hex}`, ...wrong]);
    expect(said).toEqual([true, ...wrong.map(() => false)]);
  });
});
