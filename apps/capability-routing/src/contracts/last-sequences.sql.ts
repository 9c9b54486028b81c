import type { Queryable } from '@capability-router/event-store';

const lastSequencesSql = `
SELECT stream_id, max(sequence)::int AS last FROM events WHERE stream_id = ANY($1::text[]) GROUP BY stream_id`;

/** The sequence of the last event of each stream; a stream without events has none. */
export async function lastSequences(db: Queryable, streamIds: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await db.query<{ stream_id: string; last: number }>(lastSequencesSql, [streamIds]);
  return new Map(rows.map(({ stream_id: id, last }) => [id, last]));
}
