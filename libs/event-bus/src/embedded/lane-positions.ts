import { inTransaction, comparePositions, START_POSITION, type Position } from '@capability-router/event-store';
import type pg from 'pg';

/**
 * The positions of a group's lanes in a topic, lane 0 first. Where the number of lanes has changed, keys go to other
 * lanes than before: every lane then begins where the last of the old ones stood, and handles some events again, which
 * a handler's business keys make harmless.
 */
export async function loadLanePositions(
  pool: pg.Pool,
  group: string,
  topic: string,
  lanes: number,
): Promise<Position[]> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ partition: number; position: Position }>(
      'SELECT partition, position FROM consumer_positions WHERE consumer_group = $1 AND topic = $2 ORDER BY partition FOR UPDATE',
      [group, topic],
    );
    if (rows.length === lanes) return rows.map((row) => row.position);
    const first = rows.map((row) => row.position).sort(comparePositions)[0] ?? START_POSITION;
    await tx.query('DELETE FROM consumer_positions WHERE consumer_group = $1 AND topic = $2 AND partition >= $3', [
      group,
      topic,
      lanes,
    ]);
    await tx.query(
      `INSERT INTO consumer_positions (consumer_group, topic, partition, position)
       SELECT $1, $2, lane, $4 FROM generate_series(0, $3::int - 1) AS lane
       ON CONFLICT (consumer_group, topic, partition) DO UPDATE SET position = excluded.position, updated_at = now()`,
      [group, topic, lanes, first],
    );
    return Array.from({ length: lanes }, () => first);
  });
}
