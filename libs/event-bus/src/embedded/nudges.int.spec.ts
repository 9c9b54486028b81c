import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { eventTableSource, type OutboxSource } from '@capability-router/event-store';
import { createScratchDatabase, type ScratchDatabase } from '@capability-router/event-store/testing';
import { newGroup } from '../conformance/bus-stack.js';
import { until } from '../conformance/effects.js';
import { EmbeddedEventBus } from './embedded-event-bus.js';

/** Milliseconds: longer than the test takes, so that every look but the first ones is that of a nudge. */
const POLL_INTERVAL_MS = 600_000;
/** Far more than the looks of a reader that nobody wakes meanwhile. */
const NUDGES = 60;
const { searches, catalogue } = topicNames;

describe('a nudge of the embedded bus', () => {
  let database: ScratchDatabase;
  let bus: EmbeddedEventBus;
  const looks = new Map<string, number>();
  const looksAt = (topic: string): number => looks.get(topic) ?? 0;

  beforeEach(async () => {
    database = await createScratchDatabase();
    bus = new EmbeddedEventBus({ pollIntervalMs: POLL_INTERVAL_MS });
    const table = eventTableSource();
    const counted: OutboxSource = {
      ...table,
      readAfter: (db, after, limit, topics) => {
        for (const topic of topics ?? []) looks.set(topic, looksAt(topic) + 1);
        return table.readAfter(db, after, limit, topics);
      },
    };
    bus.publishFrom(database.pool, 'registry', [counted]);
  });
  afterEach(async () => {
    await bus.stop();
    await database.drop();
    looks.clear();
  });

  const subscribe = (topic: string): unknown =>
    bus.subscribeShared(database.pool, { group: newGroup(), topics: [topic], handle: async () => undefined });
  it.each(['consumers', 'listeners'])('wakes the %s of the topics that it names, and no others', async (kind) => {
    if (kind === 'consumers') for (const topic of [searches, catalogue]) subscribe(topic);
    else for (const topic of [searches, catalogue]) await bus.broadcastListener().listen([topic], () => undefined);
    await bus.start();
    await until('the first looks', () => looksAt(searches) > 0 && looksAt(catalogue) > 0);
    looks.clear();
    for (let looked = 0; looked < NUDGES; looked = looksAt(searches)) {
      bus.nudge('registry', [searches]);
      await until('a look', () => looksAt(searches) > looked);
    }
    // Whoever waits undisturbed waits twice as long each time.
    expect(looksAt(catalogue)).toBeLessThan(NUDGES / 2);
    const before = looksAt(catalogue);
    bus.nudge('registry');
    await until('a look at every topic', () => looksAt(catalogue) > before);
  });
});
