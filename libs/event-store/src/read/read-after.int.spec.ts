/** @postgres-versions How many rows a read touches depends on the plan. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { appendBatch } from '../append/append-batch.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/index.js';
import { readAfter } from './read-after.js';

const TOPIC = 'burst';
const EVENTS = 20_000;
const BATCH = 1_000;
const PAGE = 50;
/** Transactions that wrote them: as many places for a range to begin. */
const BATCHES = EVENTS / BATCH;

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
  // The planner still has its statistics of a table of a few rows.
  await database.pool.query('ALTER TABLE events SET (autovacuum_enabled = false)');
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const items = Array.from({ length: BATCH }, (_, index) => ({
      streamId: `stream-${batch * BATCH + index}`,
      sequence: 1,
      event: { type: 'Happened', topic: TOPIC, partitionKey: 'key', data: { text: 'x'.repeat(200) } },
    }));
    await appendBatch(database.pool, 'registry', items);
  }
}, 120_000);
afterAll(() => database.drop());

/** Rows of the table that one page made the database fetch. */
async function fetchedByOnePage(topics?: readonly string[]): Promise<{ events: number; fetched: number }> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    const before = await fetchedSoFar(client);
    const { events } = await readAfter(client, '', PAGE, topics);
    return { events: events.length, fetched: (await fetchedSoFar(client)) - before };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Counts earlier transactions of the connection too, until the database has written its statistics down. */
async function fetchedSoFar(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ fetched: string }>(
    `SELECT coalesce(idx_tup_fetch, 0) + seq_tup_read AS fetched FROM pg_stat_xact_user_tables WHERE relname = 'events'`,
  );
  return Number(rows[0]?.fetched ?? 0);
}

describe('a reader that is far behind, on a table that grew since it was last analysed', () => {
  it.each([['of a topic', [TOPIC]] as const, ['of everything', undefined] as const])(
    'fetches one page for one page %s, and not all that is left',
    async (_name, topics) => {
      const { events, fetched } = await fetchedByOnePage(topics);
      expect(events).toBe(PAGE);
      expect(fetched).toBeGreaterThanOrEqual(PAGE);
      expect(fetched).toBeLessThan(10 * PAGE);
    },
  );
});

describe('a reader of a topic without events', () => {
  it('does not walk the events of a busy one, before and after the table is analysed', async () => {
    expect(await fetchedByOnePage(['quiet'])).toEqual({ events: 0, fetched: 0 });
    await database.pool.query('ANALYZE events');
    expect(await fetchedByOnePage(['quiet'])).toEqual({ events: 0, fetched: 0 });
    const { events, fetched } = await fetchedByOnePage([TOPIC, 'quiet']);
    expect(events).toBe(PAGE);
    expect(fetched).toBeLessThan(10 * PAGE);
  });
});

describe('a reader of heads', () => {
  it('is told of the same events, without what they say', async () => {
    const whole = await readAfter(database.pool, '', PAGE, [TOPIC]);
    const heads = { ...whole, events: whole.events.map((event) => ({ ...event, data: {} })) };
    expect(whole.events[0]?.data).not.toEqual({});
    expect(await readAfter(database.pool, '', PAGE, [TOPIC], 'heads')).toEqual(heads);
    expect(await readAfter(database.pool, '', PAGE, undefined, 'heads')).toEqual(heads);
  });
});
