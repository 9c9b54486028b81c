import type pg from 'pg';

/** Rows in one fetch. */
const FETCH_ROWS = 5_000;

/**
 * Every row of a query, a few thousand at a time. The read-only transaction around it has no transaction id, so it holds
 * back no reader of an event store.
 */
export async function readCursor<Row extends object>(
  pool: pg.Pool,
  sql: string,
  values: readonly unknown[],
  take: (row: Row) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`DECLARE rows_of_window NO SCROLL CURSOR FOR ${sql}`, [...values]);
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${FETCH_ROWS} FROM rows_of_window`);
      for (const row of rows) await take(row);
      if (rows.length < FETCH_ROWS) break;
    }
    await client.query('COMMIT');
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // A connection that failed in the middle may hold a cursor: it is not used again.
    client.release(broken);
  }
}
