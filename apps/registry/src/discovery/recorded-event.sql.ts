import type pg from 'pg';

/** The id of the event that a stream begins with; undefined where it has none. */
export async function firstEventIdOf(pool: pg.Pool, streamId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ event_id: string }>(
    'SELECT event_id FROM events WHERE stream_id = $1 AND sequence = 1',
    [streamId],
  );
  return rows[0]?.event_id;
}
