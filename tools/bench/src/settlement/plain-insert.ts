import { randomUUID } from 'node:crypto';
import type pg from 'pg';

const BATCH = 500;

/**
 * The baseline: ledger entries again, by plain inserts of 500 rows a transaction, one after the other, into a table
 * with the columns and the primary key of the ledger and nothing else. Rows per second.
 */
export async function plainInsertsPerSecond(owner: pg.Pool, rowCount: number): Promise<number> {
  const table = `bench_${randomUUID().replaceAll('-', '')}`;
  await owner.query(`CREATE TABLE ${table} (LIKE ledger_entries); ALTER TABLE ${table} ADD PRIMARY KEY (entry_id)`);
  const columns = await owner.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  const asText = columns.rows.map(({ name }) => `${name}::text`).join(', ');
  const rows = await owner.query<(string | null)[]>({
    text: `SELECT ${asText} FROM ledger_entries ORDER BY position DESC LIMIT $1`,
    values: [rowCount],
    rowMode: 'array',
  });
  const text = `INSERT INTO ${table} SELECT * FROM unnest(${columns.rows.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ')})`;
  const client = await owner.connect();
  try {
    const startedMs = performance.now();
    for (let start = 0; start < rows.rows.length; start += BATCH) {
      const batch = rows.rows.slice(start, start + BATCH);
      const values = columns.rows.map((_, column) => batch.map((row) => row[column] ?? null));
      await client.query('BEGIN');
      await client.query({ name: table, text, values });
      await client.query('COMMIT');
    }
    return (rows.rows.length / (performance.now() - startedMs)) * 1_000;
  } finally {
    client.release();
    await owner.query(`DROP TABLE ${table}`);
  }
}
