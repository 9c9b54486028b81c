import { toJsonb } from '@capability-router/event-store';
import type pg from 'pg';
import type { SlotId } from './consumer-position.js';
import { TransientError } from './errors.js';
import type { PositionedEvent } from './positioned-event.js';

/** Events that a consumer group may have parked; beyond it the group stands still until someone replays. */
export const MAX_PARKED_EVENTS_PER_GROUP = 100_000;
/** Characters of an error that are kept. */
const MAX_REASON_LENGTH = 2_000;

/** Which of these keys have parked events. Read it under the lock of the position, or a replay may be missed. */
export async function parkedKeys(tx: pg.PoolClient, slot: SlotId, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ partition_key: string }>({
    name: 'parked-keys',
    text: `SELECT DISTINCT partition_key FROM parked_events
      WHERE consumer_group = $1 AND topic = $2 AND partition_key = ANY($3::text[])`,
    values: [slot.group, slot.topic, keys],
  });
  return new Set(rows.map((row) => row.partition_key));
}

/** Puts events, in order, behind what is parked already. An event that is parked stays where it is. */
export async function park(
  tx: pg.PoolClient,
  slot: SlotId,
  events: readonly PositionedEvent[],
  reason: string,
): Promise<void> {
  if (events.length === 0) return;
  const { rows } = await tx.query<{ parked: number }>(
    `SELECT count(*)::int AS parked FROM
       (SELECT FROM parked_events WHERE consumer_group = $1 LIMIT ${MAX_PARKED_EVENTS_PER_GROUP}) bounded`,
    [slot.group],
  );
  if ((rows[0]?.parked ?? 0) >= MAX_PARKED_EVENTS_PER_GROUP) {
    throw new TransientError(`${slot.group} has parked ${MAX_PARKED_EVENTS_PER_GROUP} events: replay them first`);
  }
  await tx.query(
    `INSERT INTO parked_events
       (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
     SELECT $1, $2, partition_key, event_id, $3, source_position, event, $8
       FROM unnest($4::text[], $5::uuid[], $6::text[], $7::jsonb[])
         WITH ORDINALITY AS e(partition_key, event_id, source_position, event, ordinal)
      ORDER BY ordinal
     ON CONFLICT (consumer_group, topic, event_id) DO NOTHING`,
    [
      slot.group,
      slot.topic,
      slot.partition,
      events.map(({ event }) => event.partitionKey),
      events.map(({ event }) => event.id),
      events.map(({ position }) => position),
      events.map(({ event }) => toJsonb(event)),
      reason.slice(0, MAX_REASON_LENGTH).replaceAll('\0', '\uFFFD'),
    ],
  );
}

export const describeError = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
