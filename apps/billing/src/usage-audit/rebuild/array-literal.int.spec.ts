/** @postgres-versions Arrays are read by the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type ScratchDatabase } from '../../test-support/scratch-database.js';
import { arrayLiteral } from './array-literal.js';

describe('an array as it is sent', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.drop());

  it('is read by PostgreSQL as it was', async () => {
    const texts = [
      '',
      'NULL',
      'null',
      '{}',
      'a,b',
      '"',
      '\\',
      '\\n',
      'two\nlines',
      '\t',
      "'",
      ' é☃😀 ',
      '{"a": "\\u00e9"}',
      null,
    ];
    const { rows } = await database.pool.query(
      'SELECT $1::text[] AS texts, $2::float8[] AS numbers, $3::boolean[] AS flags',
      [arrayLiteral(texts), arrayLiteral([1, -2.5, 1e-9, undefined]), arrayLiteral([true, false, null])],
    );
    expect(rows).toEqual([{ texts, numbers: [1, -2.5, 1e-9, null], flags: [true, false, null] }]);
    expect((await database.pool.query('SELECT $1::text[] AS none', [arrayLiteral([])])).rows).toEqual([{ none: [] }]);
  });
});
