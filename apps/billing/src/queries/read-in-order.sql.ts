import type pg from 'pg';

/**
 * Rows by a statement whose order an index of the account has, read in that order. Where a table was never analysed, or
 * has grown since it was, the planner takes the account for a handful of rows and would fetch and sort all that are
 * left for every page; so sorting is ruled out. Only for statements whose other conditions no index finds. PostgreSQL before
 * 18 charges 10,000,000,000 for each sort that it needs all the same, and would compile the plan for that: a second, for
 * a page that takes milliseconds.
 */
export async function readInOrder<Row>(pool: pg.Pool, statement: pg.QueryConfig | pg.QueryArrayConfig): Promise<Row[]> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN READ ONLY; SET LOCAL enable_sort = off; SET LOCAL jit = off');
    const { rows } = await client.query(statement);
    return rows as Row[];
  } finally {
    // Nobody waits for it: what was read is read.
    void client.query('COMMIT').then(
      () => client.release(),
      // A connection that cannot end its transaction must not return to the pool.
      () => client.release(true),
    );
  }
}
