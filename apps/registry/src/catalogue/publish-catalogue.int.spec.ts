/** @postgres-versions Publications at the same time wait for an advisory lock. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readStream } from '@capability-router/event-store';
import { systemClock } from '@capability-router/kernel';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { withoutVersions } from '../test-support/without-versions.js';
import type { CatalogueSource } from './domain/catalogue-source.js';
import { publishCatalogue, type PublicationSummary } from './publish-catalogue.js';

interface ToolRow {
  version: number;
  status: string;
  schema_hash: string;
}

describe('publication of a catalogue', () => {
  let database: ScratchDatabase;
  let run = 0;
  let toolId = '';

  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(() => {
    run += 1;
    toolId = `geokit.distance.compute${run}.v1`;
  });

  /** Each test has a source of its own. */
  const publish = (over: Partial<CatalogueSource> = {}): Promise<PublicationSummary> =>
    publishCatalogue(
      database.pool,
      systemClock,
      sampleSource({ name: `source-${run}`, tools: [sampleTool({ toolId })], ...over }),
    );
  const row = async (id = toolId): Promise<ToolRow | undefined> => {
    const { rows } = await database.pool.query<ToolRow>(
      'SELECT version, status, schema_hash FROM tools WHERE tool_id = $1',
      [id],
    );
    return rows[0];
  };
  const eventTypes = async (id = toolId): Promise<string[]> =>
    (await readStream(database.pool, id)).map((event) => event.type);

  it('done twice publishes each tool once', async () => {
    expect(await publish()).toMatchObject({ published: 1, retired: 0 });
    expect(await publish()).toMatchObject({ published: 0, retired: 0 });
    expect(await eventTypes()).toEqual(['ToolPublished']);
    expect(await row()).toMatchObject({ version: 1, status: 'published' });
  });

  it('done by several replicas at once publishes each tool once', async () => {
    const summaries = await Promise.all([publish(), publish(), publish(), publish()]);
    expect(summaries.reduce((sum, summary) => sum + summary.published, 0)).toBe(1);
    expect(await eventTypes()).toEqual(['ToolPublished']);
  });

  it('gives a changed contract the next version and another hash, in row and event', async () => {
    await publish();
    const before = await row();
    await publish({ tools: [sampleTool({ toolId, timeoutMs: 6_000 })] });
    const after = await row();
    expect(after?.version).toBe(2);
    expect(after?.schema_hash).not.toBe(before?.schema_hash);
    const events = await readStream(database.pool, toolId);
    expect(events.map((event) => event.sequence)).toEqual([1, 2]);
    expect(events.at(-1)?.data).toMatchObject({ tool: { toolId, version: 2, schemaHash: after?.schema_hash } });
  });

  it('does not take another order of members for a change', async () => {
    await publish();
    const shuffled = Object.fromEntries(Object.entries(sampleTool({ toolId })).reverse());
    expect(await publish({ tools: [{ ...sampleTool(), ...shuffled }] })).toMatchObject({ published: 0, retired: 0 });
  });

  it('retires what the source does not name any more, once, and brings it back under its version', async () => {
    await publish();
    expect(await publish({ tools: [] })).toMatchObject({ published: 0, retired: 1 });
    expect(await publish({ tools: [] })).toMatchObject({ published: 0, retired: 0 });
    expect(await row()).toMatchObject({ version: 1, status: 'retired' });
    await publish();
    expect(await row()).toMatchObject({ version: 1, status: 'published' });
    expect(await eventTypes()).toEqual(['ToolPublished', 'ToolRetired', 'ToolPublished']);
  });

  it('leaves the tools of other sources alone', async () => {
    await publish();
    await publish({ name: 'other', tools: [] });
    expect(await row()).toMatchObject({ status: 'published' });
  });

  it('brings the tools of other sources up to a category that it changes, also where an earlier one broke off', async () => {
    const slug = `places-${run}`;
    const category = { slug, name: { en: 'Places' }, description: { en: 'Places.' } };
    await publish({ categories: [category], tools: [] });
    const own = { name: 'others', categories: [category], tools: [sampleTool({ toolId, categories: [slug] })] };
    await publish(own);
    const changed = { categories: [{ ...category, name: { en: 'Maps and places' } }], tools: [] };
    await expect(withoutVersions(database, () => publish(changed))).rejects.toThrow('none_for_now');
    expect(await publish(changed)).toMatchObject({ published: 0, retired: 0, refreshed: 1 });
    expect(await publish(changed)).toMatchObject({ refreshed: 0 });
    expect(await row()).toMatchObject({ version: 2, status: 'published' });
    expect(await eventTypes()).toEqual(['ToolPublished', 'ToolPublished']);
  });

  it('takes more tools than one transaction', async () => {
    const tools = Array.from({ length: 450 }, (_, index) => sampleTool({ toolId: `bulk.tools.number${index}.v1` }));
    expect(await publish({ name: 'bulk', tools })).toMatchObject({ published: 450, retired: 0 });
    expect(await publish({ name: 'bulk', tools: tools.slice(0, 10) })).toMatchObject({ published: 0, retired: 440 });
  });
});
