import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendBatch } from '../append/append-batch.js';
import { createScratchDatabase, type ScratchDatabase } from '../testing/index.js';
import { oldestUnread } from './oldest-unread.js';
import { readAfter } from './read-after.js';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
}, 120_000);
afterAll(() => database.drop());

const append = (stream: string, topic: string): Promise<unknown> =>
  appendBatch(database.pool, 'registry', [
    { streamId: stream, sequence: 1, event: { type: 'Happened', topic, partitionKey: 'key', data: {} } },
  ]);

describe('the oldest unread event', () => {
  it('is told while a transaction that began before it keeps readers from it, and not once they have passed it', async () => {
    const forgotten = await database.pool.connect();
    try {
      await forgotten.query('BEGIN');
      await forgotten.query('SELECT pg_current_xact_id()');
      const beganMs = Date.now() - 1;
      await append('one', 'busy');
      expect((await readAfter(database.pool, '', 10)).events).toEqual([]);
      for (const topics of [undefined, ['busy'], ['busy', 'quiet']]) {
        const at = await oldestUnread(database.pool, '', topics);
        expect(at?.getTime()).toBeGreaterThanOrEqual(beganMs);
      }
      expect(await oldestUnread(database.pool, '', ['quiet', 'aside'])).toBeUndefined();
    } finally {
      await forgotten.query('ROLLBACK');
      forgotten.release();
    }
    const { events, position } = await readAfter(database.pool, '', 10);
    expect(events).toHaveLength(1);
    expect(await oldestUnread(database.pool, position)).toBeUndefined();
    expect(await oldestUnread(database.pool, position, ['busy'])).toBeUndefined();
  });
});
