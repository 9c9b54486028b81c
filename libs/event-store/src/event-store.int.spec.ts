/** @postgres-versions The boundary of a reader is the snapshot of the server. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type pg from 'pg';
import {
  appendBatch,
  AppendConflictError,
  appendToStream,
  bumpEpoch,
  currentHorizon,
  eventStoreSchemaSql,
  type NewEvent,
  readAfter,
  readStream,
} from './index.js';
import { createScratchDatabase, type ScratchDatabase, untilReadable } from './testing/index.js';

/** Milliseconds. */
jest.setTimeout(120_000);

let database: ScratchDatabase;
let pool: pg.Pool;
let topicNumber = 0;

beforeAll(async () => {
  database = await createScratchDatabase();
  pool = database.pool;
});
afterAll(() => database.drop());

const newTopic = (): string => `topic-${(topicNumber += 1)}`;
const event = (topic: string, n = 0): NewEvent => ({ type: 'Happened', topic, partitionKey: 'key', data: { n } });
const numbers = (events: readonly { data: unknown }[]): unknown[] => events.map((e) => (e.data as { n: number }).n);
const readTopic = async (topic: string) => (await readAfter(pool, '', 1_000, [topic])).events;

/** Two connections inside transactions of their own; the first has the older transaction id. */
async function twoTransactions(work: (older: pg.PoolClient, newer: pg.PoolClient) => Promise<void>): Promise<void> {
  const [older, newer] = [await pool.connect(), await pool.connect()];
  try {
    for (const client of [older, newer]) {
      await client.query('BEGIN');
      await client.query('SELECT pg_current_xact_id()');
    }
    await work(older, newer);
  } finally {
    older.release(true);
    newer.release(true);
  }
}

describe('the schema', () => {
  it('can be applied again without harm', async () => {
    await pool.query(eventStoreSchemaSql);
  });
});

describe('appendToStream', () => {
  it('numbers the events of a stream from 1 without gaps and reads them back whole', async () => {
    const topic = newTopic();
    const meta = { correlationId: 'c', causationId: 'd', traceparent: 't', time: '2026-01-02T03:04:05.678Z' };
    const first = await appendToStream(pool, 'execution', topic, 0, [{ ...event(topic, 1), ...meta }, event(topic, 2)]);
    expect(first).toEqual({ status: 'appended', lastSequence: 2 });
    expect(await appendToStream(pool, 'execution', topic, 2, [event(topic, 3)])).toEqual({
      status: 'appended',
      lastSequence: 3,
    });
    const stored = await readStream(pool, topic);
    expect(stored.map((e) => e.sequence)).toEqual([1, 2, 3]);
    expect(stored[0]).toMatchObject({ ...meta, source: 'execution', subject: topic, topic, partitionKey: 'key' });
  });

  it('refuses a wrong expected version with a value, and the transaction around it goes on', async () => {
    const topic = newTopic();
    await appendToStream(pool, 'execution', topic, 0, [event(topic)]);
    const client = await pool.connect();
    await client.query('BEGIN');
    for (const expected of [0, 2]) {
      const result = await appendToStream(client, 'execution', topic, expected, [event(topic)]);
      expect(result).toEqual({ status: 'version_conflict', actualSequence: 1 });
    }
    await client.query('COMMIT');
    client.release();
  });

  it('lets exactly one of many concurrent writers of a version win', async () => {
    const topic = newTopic();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        appendToStream(pool, 'execution', topic, 0, [event(topic, n), event(topic)]),
      ),
    );
    expect(results.filter((r) => r.status === 'appended')).toHaveLength(1);
    expect(results.filter((r) => r.status === 'version_conflict' && r.actualSequence === 2)).toHaveLength(19);
    expect(await readStream(pool, topic)).toHaveLength(2);
  });

  it('appends at the end for every writer that does not care', async () => {
    const topic = newTopic();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) => appendToStream(pool, 'execution', topic, 'any', [event(topic, n)])),
    );
    expect(results.every((r) => r.status === 'appended')).toBe(true);
    expect((await readStream(pool, topic)).map((e) => e.sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('throws for an event id that another stream already used', async () => {
    const topic = newTopic();
    const id = 'a3bb189e-8bf9-3888-9912-ace4e6543002';
    await appendToStream(pool, 'execution', `${topic}-a`, 0, [{ ...event(topic), id }]);
    await expect(appendToStream(pool, 'execution', `${topic}-b`, 0, [{ ...event(topic), id }])).rejects.toThrow(/used/);
  });
});

describe('appendBatch', () => {
  it('writes many streams in one go, several events of one stream in order', async () => {
    const topic = newTopic();
    const items = Array.from({ length: 1_000 }, (_, n) => ({
      streamId: `${topic}/${n % 50}`,
      sequence: Math.floor(n / 50) + 1,
      event: event(topic, n),
    }));
    await appendBatch(pool, 'billing', items);
    await untilReadable(pool);
    expect(numbers(await readTopic(topic))).toEqual(items.map((_, n) => n));
  });

  it('writes nothing when one stream is elsewhere', async () => {
    const topic = newTopic();
    const items = [
      { streamId: `${topic}/a`, sequence: 1, event: event(topic) },
      { streamId: `${topic}/b`, sequence: 2, event: event(topic) },
    ];
    await expect(appendBatch(pool, 'billing', items)).rejects.toThrow(AppendConflictError);
    expect(await readTopic(topic)).toEqual([]);
  });

  it('reports a lost race as the same conflict', async () => {
    const topic = newTopic();
    const item = { streamId: topic, sequence: 1, event: event(topic) };
    const results = await Promise.allSettled([1, 2, 3].map(() => appendBatch(pool, 'billing', [item])));
    const refused = results.filter((r) => r.status === 'rejected');
    expect(refused.map((r) => r.reason instanceof AppendConflictError)).toEqual([true, true]);
  });
});

describe('readAfter', () => {
  it('never passes by an event that took its place early and commits late', async () => {
    const topic = newTopic();
    await twoTransactions(async (older, newer) => {
      await appendToStream(older, 'execution', `${topic}/late`, 0, [event(topic, 1)]);
      await appendToStream(newer, 'execution', `${topic}/early`, 0, [event(topic, 2)]);
      await newer.query('COMMIT');
      expect(await readTopic(topic)).toEqual([]);
      await older.query('COMMIT');
      await untilReadable(pool);
      expect(numbers(await readTopic(topic))).toEqual([1, 2]);
    });
  });

  it.each(['appendToStream', 'appendBatch'] as const)(
    'keeps a stream in sequence when its next event is written by an older transaction (%s)',
    async (way) => {
      const topic = newTopic();
      await twoTransactions(async (older, newer) => {
        await appendToStream(newer, 'billing', topic, 0, [event(topic, 1)]);
        await newer.query('COMMIT');
        expect(await readTopic(topic)).toEqual([]);
        if (way === 'appendBatch') {
          await appendBatch(older, 'billing', [{ streamId: topic, sequence: 2, event: event(topic, 2) }]);
        } else await appendToStream(older, 'billing', topic, 1, [event(topic, 2)]);
        await older.query('COMMIT');
        await untilReadable(pool);
        expect(numbers(await readTopic(topic))).toEqual([1, 2]);
      });
    },
  );

  it('pages through everything once under concurrent writers', async () => {
    const topic = newTopic();
    const state: { writing: boolean } = { writing: true };
    const isWriting = (): boolean => state.writing;
    const writers = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let n = 0; n < 50; n += 1) {
          await appendToStream(pool, 'execution', `${topic}/${writer}`, 'any', [event(topic, writer * 100 + n)]);
        }
      }),
    ).finally(() => {
      state.writing = false;
    });
    const seen: unknown[] = [];
    for (let position = '', done = false; !done;) {
      const wasWriting = isWriting();
      const page = await readAfter(pool, position, 7, [topic]);
      seen.push(...numbers(page.events));
      done = !wasWriting && page.position === position && seen.length >= 300;
      position = page.position;
    }
    await writers;
    expect(seen).toHaveLength(300);
    expect(new Set(seen).size).toBe(300);
  });

  it('puts what is written after a restore into a new cluster behind what was there', async () => {
    const topic = newTopic();
    await appendToStream(pool, 'execution', topic, 0, [event(topic, 1)]);
    const epoch = await bumpEpoch(pool);
    await appendToStream(pool, 'execution', topic, 1, [event(topic, 2)]);
    await untilReadable(pool);
    const stored = await readTopic(topic);
    expect(numbers(stored)).toEqual([1, 2]);
    expect(Number(stored[1]?.position.split(':')[0])).toBeGreaterThanOrEqual(epoch * 2 ** 48);
  });

  it('shows from the horizon on what is committed later, and nothing that was readable before', async () => {
    const topic = newTopic();
    await appendToStream(pool, 'execution', topic, 0, [event(topic, 1)]);
    await untilReadable(pool);
    const horizon = await currentHorizon(pool);
    await appendToStream(pool, 'execution', topic, 1, [event(topic, 2)]);
    await untilReadable(pool);
    expect(numbers((await readAfter(pool, horizon, 10, [topic])).events)).toEqual([2]);
  });
});
