import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type BusStack, createStack, newGroup, publish } from '../conformance/bus-stack.js';
import type { EventEnvelope } from '@capability-router/contracts';
import type pg from 'pg';
import { countEffects, effects, until, writeEffects } from '../conformance/effects.js';
import { EmbeddedEventBus } from './embedded-event-bus.js';
import { laneOf } from './embedded-lane.js';
import { loadLanePositions } from './lane-positions.js';

const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** With a business key, as every handler has one: an event that comes again changes nothing. */
async function writeNewEffects(events: readonly EventEnvelope[], tx: pg.PoolClient): Promise<void> {
  const ids = events.map((event) => event.id);
  const { rows } = await tx.query<{ event_id: string }>('SELECT event_id FROM effects WHERE event_id = ANY($1)', [ids]);
  const known = new Set(rows.map((row) => row.event_id));
  await writeEffects(
    events.filter((event) => !known.has(event.id)),
    tx,
  );
}

describe('lanes of the embedded bus', () => {
  let stack: BusStack;
  beforeEach(async () => {
    stack = await createStack(
      `lanes-${randomUUID()}`,
      (options) => new EmbeddedEventBus({ ...options, pollIntervalMs: 20 }),
    );
  });
  afterEach(() => stack.close());

  const run = async (group: string, lanes: number, expected: number): Promise<void> => {
    const bus = stack.newReplica();
    bus.subscribeShared(stack.consumer, { group, topics: [stack.topic], lanes, maxBatch: 7, handle: writeNewEffects });
    await bus.start();
    await until(`${expected} effects`, async () => (await countEffects(stack.consumer)) >= expected);
    await bus.stop();
  };

  it('keep the order of every key when their number changes between runs, up and down', async () => {
    const group = newGroup();
    let last = 0;
    for (const lanes of [1, 3, 2]) {
      await Promise.all(keys.map((key) => publish(stack, key, range(last + 1, last + 10))));
      last += 10;
      await run(group, lanes, keys.length * last);
      expect(await effects(stack.consumer)).toEqual(Object.fromEntries(keys.map((key) => [key, range(1, last)])));
    }
  });

  it('begin, after a change, where the hindmost of the old ones stood', async () => {
    const group = newGroup();
    expect(await loadLanePositions(stack.consumer, group, 'topic', 2)).toEqual(['', '']);
    await stack.consumer.query("UPDATE consumer_positions SET position = '20:' || (5 + partition)");
    expect(await loadLanePositions(stack.consumer, group, 'topic', 2)).toEqual(['20:5', '20:6']);
    expect(await loadLanePositions(stack.consumer, group, 'topic', 3)).toEqual(['20:5', '20:5', '20:5']);
    expect(await loadLanePositions(stack.consumer, group, 'topic', 1)).toEqual(['20:5']);
    expect(await loadLanePositions(stack.consumer, group, 'topic', 1)).toEqual(['20:5']);
  });

  it('share keys out evenly, and always in the same way', () => {
    const counts = [0, 0, 0];
    for (let number = 0; number < 3_000; number += 1) {
      const lane = laneOf(`acc_${String(number).padStart(32, '0')}`, 3);
      counts[lane] = (counts[lane] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(800);
    // A change would break the order of keys whose events are under way.
    expect(['acc_0190a5c8f0007abc8def0123456789ab', 'ключ', ''].map((key) => laneOf(key, 7))).toEqual([4, 6, 2]);
  });
});
