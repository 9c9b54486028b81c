/** @postgres-versions Conflicts of writers are errors of the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase, untilReadable } from '../testing/index.js';
import { readAfter } from '../read/read-after.js';
import { readStream } from '../read/read-stream.js';
import { AppendConflictError } from './append-conflict.js';
import { appendFirstEvents, type Beside, type FirstEvent } from './append-first-events.js';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
  await database.pool.query(
    'CREATE TABLE notes (stream_id TEXT PRIMARY KEY, note TEXT NOT NULL CHECK (note <> $$bad$$))',
  );
});
afterAll(() => database.drop());

const notes = (rows: readonly { stream_id: string; note: string }[]): Beside => ({
  name: 'append-with-notes',
  ctes: `noted AS (INSERT INTO notes (stream_id, note) SELECT stream_id, note FROM json_to_recordset($9::json) AS n(stream_id text, note text))`,
  json: JSON.stringify(rows),
});
const first = (streamId: string, n: number): FirstEvent => ({
  streamId,
  event: { type: 'Happened', topic: 'first', partitionKey: 'key', data: { n, text: 'a\0b' }, correlationId: 'c' },
});
const noted = async (): Promise<number> =>
  (await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM notes')).rows[0]?.n ?? 0;

describe('appendFirstEvents', () => {
  it('writes the first event of each stream in order, and what belongs beside them', async () => {
    const { pool } = database;
    const items = [first('b', 1), first('a', 2), first('c', 3)];
    await appendFirstEvents(pool, 'registry', items, notes([{ stream_id: 'a', note: 'n' }]));
    await untilReadable(pool);
    const { events } = await readAfter(pool, '', 10, ['first']);
    expect(events.map((event) => [event.subject, event.sequence, event.data])).toEqual([
      ['b', 1, { n: 1, text: 'a\uFFFDb' }],
      ['a', 1, { n: 2, text: 'a\uFFFDb' }],
      ['c', 1, { n: 3, text: 'a\uFFFDb' }],
    ]);
    expect(events[0]).toMatchObject({ source: 'registry', correlationId: 'c' });
    expect(await noted()).toBe(1);
  });

  it('numbers the events of one stream in their order, wherever they stand among others', async () => {
    const { pool } = database;
    const items = [first('long', 1), first('short', 2), first('long', 3), first('long', 4)];
    await appendFirstEvents(pool, 'registry', items, notes([]));
    const events = await readStream(pool, 'long');
    expect(events.map(({ sequence, data }) => [sequence, data['n']])).toEqual([
      [1, 1],
      [2, 3],
      [3, 4],
    ]);
  });

  it('writes nothing at all where one stream exists already', async () => {
    const before = await noted();
    const items = [first('new', 1), first('a', 2)];
    const appended = appendFirstEvents(database.pool, 'registry', items, notes([{ stream_id: 'new', note: 'n' }]));
    await expect(appended).rejects.toThrow(AppendConflictError);
    expect(await readStream(database.pool, 'new')).toEqual([]);
    expect(await noted()).toBe(before);
  });

  it('writes nothing at all where what belongs beside them is refused, and says why', async () => {
    const appended = appendFirstEvents(
      database.pool,
      'registry',
      [first('d', 1)],
      notes([{ stream_id: 'd', note: 'bad' }]),
    );
    await expect(appended).rejects.toMatchObject({ code: '23514' });
    expect(await readStream(database.pool, 'd')).toEqual([]);
  });
});
