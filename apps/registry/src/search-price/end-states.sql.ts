import type pg from 'pg';

const firstEventsSql = `
SELECT stream_id, type, (data->>'success')::boolean AS success FROM events
 WHERE stream_id = ANY ($1::text[]) AND sequence = 1`;

/** The event that each of these streams begins with. */
export async function readFirstEvents(
  pool: pg.Pool,
  streamIds: readonly string[],
): Promise<{ readonly stream_id: string; readonly type: string; readonly success: boolean | null }[]> {
  const { rows } = await pool.query<{ stream_id: string; type: string; success: boolean | null }>(firstEventsSql, [
    streamIds,
  ]);
  return rows;
}
