/** Every replica holds its own copy: what one publishes, each finds, and what one retires, none. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, type Tail } from '@capability-router/event-bus';
import { systemClock } from '@capability-router/kernel';
import { publishCatalogue } from '../catalogue/publish-catalogue.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { openIndex } from '../test-support/open-index.js';
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
      const copy = new CatalogueCopy({ pool: database.pool, openIndex });
      replicas.push({ copy, tail: await followCatalogue(database.pool, copy, silentLogger) });
    }
  });
  afterAll(async () => {
    for (const { copy, tail } of replicas) {
      await tail.stop();
      await copy.close();
    }
    await database.drop();
  });

  const first = async (copy: CatalogueCopy, query: string): Promise<string | undefined> =>
    (await copy.search(query, 10))[0]?.tool.toolId;
  const onEvery = async (holds: (copy: CatalogueCopy) => Promise<boolean>): Promise<void> => {
    const end = performance.now() + DEADLINE_MS;
    while ((await Promise.all(replicas.map(({ copy }) => holds(copy)))).includes(false)) {
      if (performance.now() > end) throw new Error('it did not come to every replica');
      for (const { tail } of replicas) tail.nudge();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('find an added tool first by its own name in both languages, and by its id', async () => {
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [sampleTool(), added] }));
    await onEvery(async (copy) => (await first(copy, 'Quokka locator')) === added.toolId);
    for (const { copy } of replicas) {
      expect(await first(copy, '短尾矮袋鼠定位')).toBe(added.toolId);
      expect(await first(copy, added.toolId)).toBe(added.toolId);
      expect(await first(copy, 'City distance')).toBe(sampleTool().toolId);
    }
  });

  it('answer alike', async () => {
    for (const query of ['quokka', 'distance between cities', 'where is it']) {
      const [one, ...others] = await Promise.all(replicas.map(({ copy }) => copy.search(query, 10)));
      for (const other of others) expect(other).toEqual(one);
    }
  });

  it('never find a retired tool again, not by its id either, and not after a restart', async () => {
    await publishCatalogue(database.pool, systemClock, sampleSource());
    await onEvery(async (copy) => (await copy.get(added.toolId)) === undefined);
    const restarted = new CatalogueCopy({ pool: database.pool, openIndex });
    await restarted.load();
    for (const copy of [...replicas.map((replica) => replica.copy), restarted]) {
      for (const query of ['Quokka locator', '短尾矮袋鼠定位', added.toolId]) {
        expect((await copy.search(query, 10)).map(({ tool }) => tool.toolId)).not.toContain(added.toolId);
      }
    }
    await restarted.close();
  });
});
