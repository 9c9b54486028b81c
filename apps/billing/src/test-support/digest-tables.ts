import type pg from 'pg';

/** A digest of the rows of every table, by table: equal before and after a command that changed nothing. */
export async function digestTables(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const selects = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(COALESCE(string_agg(t::text, chr(10) ORDER BY t::text), '')) AS digest FROM ${name} t`,
  );
  const { rows } = await pool.query<{ name: string; digest: string }>(selects.join(' UNION ALL '));
  return Object.fromEntries(rows.map((row) => [row.name, row.digest]));
}
