/** Every replica holds its own copy: what one publishes, each finds, and what one retires, none. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, type Tail } from '@capability-router/event-bus';
import { systemClock } from '@capability-router/kernel';
import { publishCatalogue } from '../catalogue/publish-catalogue.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { followCatalogue } from './follow-catalogue.js';

const REPLICAS = 3;
const DEADLINE_MS = 40_000;
const added = sampleTool({
  toolId: 'geokit.quokka.locate.v1',
  name: { en: 'Quokka locator', zh: '短尾矮袋鼠定位' },
  description: { en: 'Tells where quokkas were seen.' },
});

describe('replicas of the registry', () => {
  let database: ScratchDatabase;
  const replicas: { readonly copy: CatalogueCopy; readonly tail: Tail }[] = [];

  beforeAll(async () => {
    database = await createScratchDatabase();
    await publishCatalogue(database.pool, systemClock, sampleSource());
    for (let number = 0; number < REPLICAS; number += 1) {
      const copy = new CatalogueCopy();
      replicas.push({ copy, tail: await followCatalogue(database.pool, copy, silentLogger) });
    }
  });
  afterAll(async () => {
    for (const { tail } of replicas) await tail.stop();
    await database.drop();
  });

  const first = (copy: CatalogueCopy, query: string): string | undefined => copy.search(query, 10)[0]?.tool.toolId;
  const onEvery = async (holds: (copy: CatalogueCopy) => boolean): Promise<void> => {
    const end = performance.now() + DEADLINE_MS;
    while (!replicas.every(({ copy }) => holds(copy))) {
      if (performance.now() > end) throw new Error('it did not come to every replica');
      for (const { tail } of replicas) tail.nudge();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('find an added tool first by its own name in both languages, and by its id', async () => {
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [sampleTool(), added] }));
    await onEvery((copy) => first(copy, 'Quokka locator') === added.toolId);
    for (const { copy } of replicas) {
      expect(first(copy, '短尾矮袋鼠定位')).toBe(added.toolId);
      expect(first(copy, added.toolId)).toBe(added.toolId);
      expect(first(copy, 'City distance')).toBe(sampleTool().toolId);
    }
  });

  it('answer alike', () => {
    for (const query of ['quokka', 'distance between cities', 'where is it']) {
      const [one, ...others] = replicas.map(({ copy }) => copy.search(query, 10));
      for (const other of others) expect(other).toEqual(one);
    }
  });

  it('never find a retired tool again, not by its id either, and not after a restart', async () => {
    await publishCatalogue(database.pool, systemClock, sampleSource());
    await onEvery((copy) => copy.get(added.toolId) === undefined);
    const restarted = new CatalogueCopy();
    await restarted.load(database.pool);
    for (const copy of [...replicas.map((replica) => replica.copy), restarted]) {
      for (const query of ['Quokka locator', '短尾矮袋鼠定位', added.toolId]) {
        expect(copy.search(query, 10).map(({ tool }) => tool.toolId)).not.toContain(added.toolId);
      }
    }
  });
});
