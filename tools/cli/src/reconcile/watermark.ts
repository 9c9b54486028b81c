import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { laneOf } from '@capability-router/event-bus';
import { comparePositions, formatPosition } from '@capability-router/event-store';
import type pg from 'pg';
import { readCursor } from './read-cursor.js';
import type { Topics } from './read-sources.js';

/** Longer than a call needs from the time that its end names to the commit of that end. */
const COMMIT_DELAY_MS = 5_000;

/** The part of an event of any topic that tells when its fact took effect. */
const EFFECTIVE_SQL = `COALESCE(data->>'completedAt', data->>'effectiveAt')`;

interface Flow {
  readonly topic: string;
  readonly producer: 'execution' | 'registry' | 'billing';
  /** Groups of billing that read the topic. */
  readonly groups: readonly string[];
}

/** From where a call ends to where the last of it is written, in this order: a fact that moves on is met further down. */
const flows: readonly Flow[] = [
  { topic: topicNames.executions, producer: 'execution', groups: ['billing.settlement', 'billing.usage-audit'] },
  { topic: topicNames.searches, producer: 'registry', groups: ['billing.settlement', 'billing.usage-audit'] },
  { topic: topicNames.usageSettlements, producer: 'billing', groups: ['billing.usage-audit'] },
  // Imports, and refunds under the time of what they refund.
  { topic: topicNames.usageRecords, producer: 'billing', groups: ['billing.usage-audit'] },
];

export interface WatermarkSources {
  readonly pools: Readonly<Record<Flow['producer'], pg.Pool>>;
  /** Absent on the embedded bus. */
  readonly topics: Topics | undefined;
}

/**
 * The settlement watermark, in milliseconds since the epoch: whatever took effect before it has been settled, audited and
 * published. It stands at the oldest fact that billing has yet to read or to publish; where nothing waits, a few seconds
 * before now. What billing has read and parked does not hold it back: that is a difference.
 */
export async function settlementWatermark({ pools, topics }: WatermarkSources): Promise<number> {
  const { rows } = await pools.execution.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  let watermark = (rows[0]?.now.getTime() ?? Date.now()) - COMMIT_DELAY_MS;
  const lower = (effectiveAt: string | null): void => {
    const ms = effectiveAt === null ? NaN : Date.parse(effectiveAt);
    if (ms < watermark) watermark = ms;
  };
  for (const flow of flows) {
    if (topics === undefined) await unreadInStore(pools, flow, lower);
    else {
      lower(await oldestUnpublished(pools[flow.producer], flow));
      await unreadOnTopic(pools.billing, topics, flow, lower);
    }
  }
  if (topics !== undefined) lower(await oldestUnpublishedEntry(pools.billing));
  return watermark;
}

const relayPositionSql = `
SELECT COALESCE(split_part(NULLIF(max(position), ''), ':', 1), '0')::bigint AS tx_order,
       COALESCE(split_part(NULLIF(max(position), ''), ':', 2), '0')::bigint AS position FROM relay_leases WHERE relay = $1`;

async function oldestUnpublished(pool: pg.Pool, { topic, producer }: Flow): Promise<string | null> {
  const { rows } = await pool.query<{ oldest: Date | null }>(
    `SELECT min((${EFFECTIVE_SQL})::timestamptz) AS oldest FROM events, (${relayPositionSql}) AS relay
      WHERE topic = $2 AND (events.tx_order, events.position) > (relay.tx_order, relay.position)`,
    [`${producer}-relay`, topic],
  );
  return rows[0]?.oldest?.toISOString() ?? null;
}

async function oldestUnpublishedEntry(billing: pg.Pool): Promise<string | null> {
  const { rows } = await billing.query<{ oldest: Date | null }>(
    `SELECT min(effective_at) AS oldest FROM ledger_entries AS e, (${relayPositionSql}) AS relay
      WHERE (e.tx_order, e.position) > (relay.tx_order, relay.position)`,
    ['billing-relay-ledger'],
  );
  return rows[0]?.oldest?.toISOString() ?? null;
}

interface Slot {
  readonly partition: number;
  readonly position: string;
}

async function slotsOf(billing: pg.Pool, group: string, topic: string): Promise<Slot[]> {
  const { rows } = await billing.query<Slot>(
    'SELECT partition, position FROM consumer_positions WHERE consumer_group = $1 AND topic = $2 ORDER BY partition',
    [group, topic],
  );
  return rows;
}

/** Kafka: positions are offsets, of each partition. */
async function unreadOnTopic(
  billing: pg.Pool,
  topics: Topics,
  { topic, groups }: Flow,
  lower: (effectiveAt: string | null) => void,
): Promise<void> {
  const from = new Map<number, bigint>();
  for (const [index, group] of groups.entries()) {
    const slots = new Map(
      (await slotsOf(billing, group, topic)).map((slot) => [slot.partition, BigInt(slot.position)]),
    );
    // A partition that one of the groups has never read begins at its beginning, as those do that are not listed.
    for (const partition of new Set([...from.keys(), ...slots.keys()])) {
      const known = index === 0 ? slots.get(partition) : from.get(partition);
      const position = slots.get(partition);
      if (known === undefined || position === undefined) from.delete(partition);
      else from.set(partition, known < position ? known : position);
    }
  }
  await topics.read(topic, { from, handle: (event) => lower(effectiveAt(event)) });
}

/** Embedded: positions are places in the producer's store, of each range of keys. */
async function unreadInStore(
  pools: WatermarkSources['pools'],
  { topic, producer, groups }: Flow,
  lower: (effectiveAt: string | null) => void,
): Promise<void> {
  for (const group of groups) {
    const lanes = await slotsOf(pools.billing, group, topic);
    const first = lanes.map((lane) => lane.position).sort(comparePositions)[0] ?? '';
    const [txOrder = '0', position = '0'] = first === '' ? [] : first.split(':');
    interface Row {
      readonly tx_order: string;
      readonly position: string;
      readonly partition_key: string;
      readonly effective_at: string | null;
    }
    await readCursor<Row>(
      pools[producer],
      `SELECT tx_order, position, partition_key, ${EFFECTIVE_SQL} AS effective_at FROM events
        WHERE topic = $1 AND (tx_order, position) > ($2::bigint, $3::bigint)`,
      [topic, txOrder, position],
      (row) => {
        const lane = lanes[laneOf(row.partition_key, Math.max(1, lanes.length))];
        const unread =
          lane === undefined || comparePositions(formatPosition(row.tx_order, row.position), lane.position) > 0;
        if (unread) lower(row.effective_at);
        return Promise.resolve();
      },
    );
  }
}

function effectiveAt({ data }: EventEnvelope): string | null {
  const { completedAt, effectiveAt: at } = data as { completedAt?: unknown; effectiveAt?: unknown };
  return typeof completedAt === 'string' ? completedAt : typeof at === 'string' ? at : null;
}
