/** @postgres-versions Who waits for which lock is up to the server. */
import { inTransaction } from '@capability-router/event-store';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventEnvelope } from '@capability-router/contracts';
import { createScratchDatabase } from '@capability-router/event-store/testing';
import type pg from 'pg';
import { loadPosition, lockPositions } from './consumer-position.js';
import { park } from './park.js';
import { replayParked } from './parked-events.js';

const topic = 'replayed';

function eventOf(key: string): EventEnvelope {
  return {
    id: randomUUID(),
    type: 'Happened',
    source: 'execution',
    subject: key,
    sequence: 1,
    time: '2026-01-01T00:00:00.000Z',
    topic,
    partitionKey: key,
    data: {},
  };
}

async function waitingForALock(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}

describe('a replay of parked events', () => {
  let database: Awaited<ReturnType<typeof createScratchDatabase>>;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('waits for whichever lane may own the key now, not only for the one that parked it', async () => {
    const { pool } = database;
    const group = `group-${randomUUID()}`;
    const slots = [0, 1, 2].map((partition) => ({ group, topic, partition }));
    for (const slot of slots) await loadPosition(pool, slot, '');
    const [parkedBy, , ownerNow] = slots;
    if (parkedBy === undefined || ownerNow === undefined) throw new Error('three lanes were made');
    const event = eventOf('key');
    await inTransaction(pool, (tx) => park(tx, parkedBy, [{ event, position: '' }], 'the first failure'));

    const handled: string[] = [];
    const subscription = {
      group,
      topics: [topic],
      handle: (events: readonly EventEnvelope[]) => {
        handled.push(...events.map(({ id }) => id));
        return Promise.resolve();
      },
    };
    let replay: ReturnType<typeof replayParked> | undefined;
    await inTransaction(pool, async (tx) => {
      expect(await lockPositions(tx, [{ slot: ownerNow, expected: '' }])).toBe(true);
      replay = replayParked(pool, subscription, 'key');
      while ((await waitingForALock(pool)) === 0 && handled.length === 0) await Promise.resolve();
      expect(handled).toEqual([]);
    });
    expect(await replay).toEqual({ replayed: 1, remaining: 0 });
    expect(handled).toEqual([event.id]);
  });
});
