import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@capability-router/kernel';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { readUsageFeed } from './usage-queries.sql.js';

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2026, 3, 1);
const BEFORE = Date.UTC(2026, 4, 1);
const ACCOUNT = 'acc_1';

/** Days after `FROM` of the id and of the effect, in the order of recording. */
const events: readonly (readonly [id: number, effect: number])[] = [
  [-40, -40],
  // Went over the bound, by a little and by months.
  [-1, 0],
  [-70, 3],
  [1, 1],
  [2, 2],
  // Imported later.
  [45, 5],
  [80, 29],
  // Began in the range and ended after it.
  [29, 31],
  [29, 29.5],
  [31, 31],
  [60, 60],
];

describe('events by dates in the order of recording', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
    for (const [index, [id, effect]] of events.entries()) {
      await database.pool.query(
        `INSERT INTO usage_events (id, account_id, effective_at, recorded, record_seq, event_type, success, requested_micro)
         VALUES ($1, $2, $3, true, $4, 'search', true, 0)`,
        [uuidv7(FROM + id * DAY_MS), ACCOUNT, new Date(FROM + effect * DAY_MS), index + 1],
      );
    }
  });
  afterAll(() => database.drop());

  const page = async (window: object, rows: number, beforeSeq?: string): Promise<string[]> =>
    (await readUsageFeed(database.pool, ACCOUNT, { window }, { beforeSeq, rows })).map((row) => row.record_seq);

  it.each([
    ['a range', { from: new Date(FROM), before: new Date(BEFORE) }],
    ['a beginning', { from: new Date(FROM) }],
    ['an end', { before: new Date(BEFORE) }],
    ['a day', { from: new Date(FROM + 2 * DAY_MS), before: new Date(FROM + 3 * DAY_MS) }],
  ])(
    'are those of %s, each once, whatever time their ids are of',
    async (_what, window: { from?: Date; before?: Date }) => {
      const expected = events
        .map(([, effect], index) => ({ at: FROM + effect * DAY_MS, seq: `${index + 1}` }))
        .filter(({ at }) => at >= (window.from?.getTime() ?? -Infinity) && at < (window.before?.getTime() ?? Infinity))
        .map(({ seq }) => seq)
        .reverse();
      expect(await page(window, 100)).toEqual(expected);
      const walked: string[] = [];
      for (let last: string | undefined; ;) {
        const rows = await page(window, 2, last);
        walked.push(...rows);
        last = rows.at(-1);
        if (rows.length < 2) break;
      }
      expect(walked).toEqual(expected);
      expect(expected.length).toBeGreaterThan(0);
    },
  );
});
