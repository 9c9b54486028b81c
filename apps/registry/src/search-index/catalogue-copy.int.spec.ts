import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger, type Tail } from '@capability-router/event-bus';
import { systemClock } from '@capability-router/kernel';
import { publishCatalogue } from '../catalogue/publish-catalogue.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { CatalogueCopy } from './catalogue-copy.js';
import { followCatalogue } from '../live-catalogue/follow-catalogue.js';

const toolId = sampleTool().toolId;
const DEADLINE_MS = 40_000;

describe('copy of the catalogue', () => {
  let database: ScratchDatabase;
  let tail: Tail | undefined;
  const copy = new CatalogueCopy();

  beforeAll(async () => {
    database = await createScratchDatabase();
    await publishCatalogue(database.pool, systemClock, sampleSource());
    tail = await followCatalogue(database.pool, copy, silentLogger);
  });
  afterAll(async () => {
    await tail?.stop();
    await database.drop();
  });

  const eventually = async (holds: () => boolean): Promise<void> => {
    const end = performance.now() + DEADLINE_MS;
    while (!holds()) {
      if (performance.now() > end) throw new Error('it did not come');
      tail?.nudge();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it('holds what was published before it was loaded', () => {
    expect(copy.search('distance', 5).map(({ tool }) => tool.toolId)).toEqual([toolId]);
  });

  it('lets other work go on while many tools are indexed', async () => {
    const many = Array.from({ length: 250 }, (_, number) =>
      sampleTool({ toolId: toolId.replace(/[^.]+\.v1$/, `many${number}.v1`), name: { en: `Quokka ${number}` } }),
    );
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [sampleTool(), ...many] }));
    const own = new CatalogueCopy();
    const seen = new Set<number>();
    const refreshed = own.refresh(
      database.pool,
      many.map((tool) => tool.toolId),
    );
    const ended = new AbortController();
    const observed = (async () => {
      while (!ended.signal.aborted) {
        seen.add(own.documentFrequencyOf('quokka'));
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await refreshed.finally(() => {
      ended.abort();
    });
    await observed;
    expect([...seen].filter((count) => count > 0 && count < many.length)).toEqual([100, 200]);
    expect(own.documentFrequencyOf('quokka')).toBe(many.length);
    await publishCatalogue(database.pool, systemClock, sampleSource());
  });

  it('follows a publication and a retirement by another replica', async () => {
    const changed = sampleTool({ name: { en: 'Xylophone' } });
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [changed] }));
    await eventually(() => copy.get(toolId)?.version === 2);
    expect(copy.search('xylophone', 5)).toHaveLength(1);
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [] }));
    await eventually(() => copy.size === 0);
    expect(copy.search('xylophone', 5)).toEqual([]);
  });
});
