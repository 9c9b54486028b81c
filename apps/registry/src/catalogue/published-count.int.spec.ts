import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@capability-router/kernel';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { applyCatalogue } from './apply-catalogue.js';
import { MAX_PUBLISHED_TOOLS, PublishedCount } from './published-count.js';

const { providers, categories } = sampleSource();

describe('the limit of published tools', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
    await database.pool.query(
      `INSERT INTO tools (tool_id, provider_id, source, status, version, schema_hash, contract_hash, contract, event_sequence, changed_at)
       SELECT 'filler.a.n' || n || '.v1', 'filler', 'filler', 'published', 1, repeat('0', 64), repeat('0', 64), '{}', 1, now()
         FROM generate_series(1, $1::int) AS n`,
      [MAX_PUBLISHED_TOOLS - 15],
    );
  });
  afterAll(() => database.drop());

  const apply = (from: number, count: number, published?: PublishedCount) =>
    applyCatalogue(
      database.pool,
      systemClock,
      {
        providers,
        categories,
        tools: Array.from({ length: count }, (_, index) => ({
          manifest: sampleTool({ toolId: `geokit.distance.n${from + index}.v1` }),
          intent: 'publish',
        })),
      },
      { source: 'sample', dryRun: false, ...(published === undefined ? {} : { published }) },
    ).then(({ tools }) => tools.map(({ result }) => result));

  it('is never passed, by one writer or by several, and what is published already may still change', async () => {
    const one = new PublishedCount();
    expect(new Set(await apply(0, 10, one))).toEqual(new Set(['created']));
    expect(new Set(await apply(100, 3))).toEqual(new Set(['created']));
    const last = await apply(200, 4, one);
    expect([last.filter((result) => result === 'created'), last.filter((result) => result === 'refused')]).toEqual([
      ['created', 'created'],
      ['refused', 'refused'],
    ]);
    expect(new Set(await apply(0, 10, one))).toEqual(new Set(['unchanged']));
  });
});
