import type pg from 'pg';

/** An audit without rows is of no version: there is nothing that a rebuild would change. */
const adoptEmptySql = `
UPDATE projections SET version = $1, switched_at = now()
 WHERE projection = 'usage-audit' AND version < $1 AND NOT EXISTS (SELECT FROM usage_events)`;

export async function adoptEmpty(pool: pg.Pool, version: number | undefined): Promise<void> {
  await pool.query(adoptEmptySql, [version]);
}

/** Versions at which the rows of these projections were built. */
export async function readLiveVersions(
  pool: pg.Pool,
  projections: readonly string[],
): Promise<{ readonly projection: string; readonly version: number }[]> {
  const { rows } = await pool.query<{ projection: string; version: number }>(
    'SELECT projection, version FROM projections WHERE projection = ANY($1)',
    [projections],
  );
  return rows;
}
