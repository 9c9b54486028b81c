/** @postgres-versions The boundary of a reader is the snapshot of the server. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { appendToStream, eventTableSource, type NewEvent } from '@capability-router/event-store';
import { createScratchDatabase, type ScratchDatabase, untilReadable } from '@capability-router/event-store/testing';
import { until } from '../conformance/effects.js';
import { tailOwnStore } from './tail-own-store.js';

/** Milliseconds. */
jest.setTimeout(120_000);

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
});
afterAll(() => database.drop());

const event = (n: number): NewEvent => ({ type: 'Happened', topic: 'topic', partitionKey: 'k', data: { n } });

describe('the tail of an own store', () => {
  it('sees every event once and in order, also those committed late, and repeats what its handler refused', async () => {
    const { pool } = database;
    await appendToStream(pool, 'registry', 'first', 0, [event(1)]);
    const seen: unknown[] = [];
    let refusals = 2;
    await untilReadable(pool);
    const tail = tailOwnStore(pool, {
      source: eventTableSource(),
      from: '',
      pollIntervalMs: 10,
      handle: async (events) => {
        refusals -= 1;
        if (refusals >= 0) throw new Error('not yet');
        seen.push(...events.map(({ data }) => data['n']));
      },
    });
    expect(tail.caughtUp()).toBe(false);
    await until('catching up', () => tail.caughtUp());
    expect(seen).toEqual([1]);

    const older = await pool.connect();
    await older.query('BEGIN');
    await appendToStream(older, 'registry', 'early', 0, [event(2)]);
    await appendToStream(pool, 'registry', 'chain', 0, [event(3)]);
    await appendToStream(older, 'registry', 'chain', 1, [event(4)]);
    tail.nudge();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(seen).toEqual([1]);
    await older.query('COMMIT');
    older.release();
    await until('all of them', () => seen.length === 4);
    await tail.stop();
    expect(seen).toEqual([1, 2, 3, 4]);
  });
});
