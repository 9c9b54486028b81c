import type pg from 'pg';

/** A sequence that one consumer reads in order: a partition of a topic (the embedded bus has only partition 0). */
export interface SlotId {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** The stored position; a consumer that has none begins at `initial`. */
export async function loadPosition(pool: pg.Pool, slot: SlotId, initial: string): Promise<string> {
  const values = [slot.group, slot.topic, slot.partition];
  await pool.query(
    `INSERT INTO consumer_positions (consumer_group, topic, partition, position) VALUES ($1, $2, $3, $4)
     ON CONFLICT (consumer_group, topic, partition) DO NOTHING`,
    [...values, initial],
  );
  const { rows } = await pool.query<{ position: string }>(
    'SELECT position FROM consumer_positions WHERE consumer_group = $1 AND topic = $2 AND partition = $3',
    values,
  );
  return rows[0]?.position ?? initial;
}

/** The stretch that is read of one slot: from `expected`, as its consumer knows the position, up to `next`. */
export interface PositionMove {
  readonly slot: SlotId;
  readonly expected: string;
  readonly next: string;
}

/**
 * Locks the positions of partitions of one group and topic for this transaction. False: another consumer has moved one,
 * so whoever asks is a zombie (or lost the answer to its own commit) and must throw its batch away.
 */
export async function lockPositions(
  tx: pg.PoolClient,
  moves: readonly [Pick<PositionMove, 'slot' | 'expected'>, ...Pick<PositionMove, 'slot' | 'expected'>[]],
): Promise<boolean> {
  const [{ slot }] = moves;
  const { rows } = await tx.query<{ partition: number; position: string }>({
    name: 'lock-consumer-positions',
    // In one order, so that consumers that want the same ones wait for each other and do not block each other.
    text: `SELECT partition, position FROM consumer_positions
      WHERE consumer_group = $1 AND topic = $2 AND partition = ANY($3::int[]) ORDER BY partition FOR UPDATE`,
    values: [slot.group, slot.topic, moves.map((move) => move.slot.partition)],
  });
  const positions = new Map(rows.map(({ partition, position }) => [partition, position]));
  return moves.every((move) => positions.get(move.slot.partition) === move.expected);
}

/** Under the locks of `lockPositions`. */
export async function advancePositions(
  tx: pg.PoolClient,
  moves: readonly [PositionMove, ...PositionMove[]],
): Promise<void> {
  const [{ slot }] = moves;
  const { rowCount } = await tx.query({
    name: 'advance-consumer-positions',
    text: `UPDATE consumer_positions c SET position = m.next, updated_at = now()
       FROM unnest($3::int[], $4::text[], $5::text[]) AS m(partition, expected, next)
      WHERE c.consumer_group = $1 AND c.topic = $2 AND c.partition = m.partition AND c.position = m.expected`,
    values: [
      slot.group,
      slot.topic,
      moves.map((move) => move.slot.partition),
      moves.map(({ expected }) => expected),
      moves.map(({ next }) => next),
    ],
  });
  if (rowCount !== moves.length) throw new Error(`a position of ${slot.group} in ${slot.topic} moved under its lock`);
}
