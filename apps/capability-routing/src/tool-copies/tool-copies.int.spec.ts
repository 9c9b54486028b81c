import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashPriceRule, type ToolContract } from '@capability-router/contracts';
import type { EventBatch } from '@capability-router/event-bus';
import { inTransaction } from '@capability-router/service-kit';
import { sampleEvent, sampleTool } from '../test-support/sample-tool.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { copyTools } from './copy-tools.js';
import { KnownTools } from './known-tools.js';
import { findToolCopies } from './tool-copies.js';

describe('the copies of the catalogue', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const { toolId } = sampleTool();
  const published = (over: Partial<ToolContract> = {}) => sampleEvent('ToolPublished', { tool: sampleTool(over) });
  const retired = (version: number) => sampleEvent('ToolRetired', { toolId, version, retiredAt: 'now' });
  const copy = (...events: EventBatch) => inTransaction(database.pool, (tx) => copyTools(tx, events));
  const known = async () => (await findToolCopies(database.pool, [toolId, 'no.such.tool.v1'])).get(toolId);

  it('have what a decision needs of the newest version, whatever comes again', async () => {
    const second = published({ version: 2, region: 'CH', oneOfRequired: [['from', 'to']] });
    await copy(published(), second, published());
    await copy(published());
    const { price } = sampleTool();
    expect(await known()).toMatchObject({
      version: 2,
      retired: false,
      providerId: 'geokit',
      price,
      priceRuleHash: hashPriceRule(price),
      parametersSchema: sampleTool().parametersSchema,
      oneOfRequired: [['from', 'to']],
      region: 'CH',
    });
  });

  it('follow a retirement and what is published after it', async () => {
    await copy(retired(2));
    expect(await known()).toMatchObject({ version: 2, retired: true });
    await copy(published({ version: 1 }));
    expect(await known()).toMatchObject({ version: 2, retired: true });
    await copy(published({ version: 3 }));
    expect(await known()).toMatchObject({ version: 3, retired: false, region: null });
  });

  it('know a tool of which only the retirement is left as retired', async () => {
    const other = 'geokit.gone.compute.v1';
    await copy(sampleEvent('ToolRetired', { toolId: other, version: 4, retiredAt: 'now' }));
    await copy(published({ toolId: other, version: 3 }));
    expect((await findToolCopies(database.pool, [other])).get(other)).toMatchObject({ version: 4, retired: true });
  });

  it('are in memory, and are read again once they have changed', async () => {
    const [one, none] = ['geokit.kept.compute.v1', 'geokit.later.compute.v1'];
    const versionsOf = async (tools: KnownTools) => {
      const found = await tools.of([one, none]);
      return [found.get(one)?.version, found.get(none)?.version];
    };
    await copy(published({ toolId: one }));
    const tools = new KnownTools(database.pool);
    await tools.load();
    expect(await versionsOf(tools)).toEqual([1, undefined]);
    await copy(published({ toolId: one, version: 2 }), published({ toolId: none, version: 7 }));
    // Nothing is read until it is known that something has changed.
    expect(await versionsOf(tools)).toEqual([1, undefined]);
    await tools.refresh();
    expect(await versionsOf(tools)).toEqual([2, 7]);
  });
});
