import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planOf } from '@capability-router/event-store/testing';
import { systemClock } from '@capability-router/kernel';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { publishCatalogue } from './publish-catalogue.js';
import { publishedPageSql, readPublishedPage } from './tools.sql.js';

const TOOLS = 3_000;
const idOf = (number: number): string =>
  sampleTool().toolId.replace(/[^.]+\.v1$/, `t${String(number).padStart(4, '0')}.v1`);
const toolsOf = (numbers: readonly number[]) => numbers.map((number) => sampleTool({ toolId: idOf(number) }));
const all = Array.from({ length: TOOLS }, (_, number) => number);

describe('pages of the published tools', () => {
  let database: ScratchDatabase;

  beforeAll(async () => {
    database = await createScratchDatabase();
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: toolsOf(all) }));
  });
  afterAll(() => database.drop());

  it('are read in order of an index while the planner has no statistics', async () => {
    const plan = await planOf(database.pool, publishedPageSql, ['', 1_000]);
    expect(plan).toMatch(/Index Scan using tools_pkey/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  });

  it('hold every published tool once, in order, also where whole pages are retired', async () => {
    const published = all.filter((number) => number < 3 || number > 20);
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: toolsOf(published) }));
    const found: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const page = await readPublishedPage(database.pool, after, 7);
      found.push(...page.tools.map(({ toolId }) => toolId));
      after = page.nextAfter;
    }
    expect(found).toEqual(published.map(idOf));
  });
});
