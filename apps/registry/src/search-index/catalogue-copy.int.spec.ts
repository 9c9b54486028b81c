import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { classifyError, silentLogger, type Tail } from '@capability-router/event-bus';
import { systemClock } from '@capability-router/kernel';
import type { ToolIndexThread } from '@capability-router/tool-search';
import { publishCatalogue } from '../catalogue/publish-catalogue.js';
import { followCatalogue } from '../live-catalogue/follow-catalogue.js';
import { openIndex } from '../test-support/open-index.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { CatalogueCopy, MAX_WAITING_SEARCHES } from './catalogue-copy.js';

const toolId = sampleTool().toolId;
const named = (name: string): string => toolId.replace(/[^.]+\.v1$/, `${name}.v1`);
const DEADLINE_MS = 40_000;

describe('copy of the catalogue', () => {
  let database: ScratchDatabase;
  let copy: CatalogueCopy;
  let tail: Tail | undefined;

  beforeAll(async () => {
    database = await createScratchDatabase();
    await publishCatalogue(database.pool, systemClock, sampleSource());
    copy = new CatalogueCopy({ pool: database.pool, openIndex });
    tail = await followCatalogue(database.pool, copy, silentLogger);
  });
  afterAll(async () => {
    await tail?.stop();
    await copy.close();
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

  it('holds what was published before it was loaded', async () => {
    expect((await copy.search('distance', 5)).map(({ tool }) => tool.toolId)).toEqual([toolId]);
  });

  it('answers others while many tools are indexed', async () => {
    const many = Array.from({ length: 250 }, (_, number) =>
      sampleTool({ toolId: named(`many${number}`), name: { en: `Quokka ${number}` } }),
    );
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [sampleTool(), ...many] }));
    const own = new CatalogueCopy({ pool: database.pool, openIndex });
    const seen = new Set<number>();
    const refreshed = own.refresh(many.map((tool) => tool.toolId));
    const ended = new AbortController();
    const observed = (async () => {
      while (!ended.signal.aborted) {
        const [count = 0] = await own.documentFrequenciesOf(['quokka']);
        seen.add(count);
      }
    })();
    await refreshed.finally(() => {
      ended.abort();
    });
    await observed;
    expect([...seen].filter((count) => count > 0 && count < many.length)).toEqual([100, 200]);
    expect(await own.documentFrequenciesOf(['quokka'])).toEqual([many.length]);
    await own.close();
    await publishCatalogue(database.pool, systemClock, sampleSource());
  });

  it('follows a publication and a retirement by another replica', async () => {
    const changed = sampleTool({ name: { en: 'Xylophone' } });
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [changed] }));
    await eventually(() => copy.known(toolId)?.version === 2);
    expect(await copy.search('xylophone', 5)).toHaveLength(1);
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [] }));
    await eventually(() => copy.size === 0);
    expect(await copy.search('xylophone', 5)).toEqual([]);
  });

  it('reads a contract that it does not keep where somebody asks for it, and keeps none of another version', async () => {
    const ids = [toolId, ...['one', 'two', 'three'].map(named)].sort();
    await publishCatalogue(
      database.pool,
      systemClock,
      sampleSource({ tools: ids.map((id) => sampleTool({ toolId: id })) }),
    );
    const small = new CatalogueCopy({ pool: database.pool, openIndex, maxKeptContracts: 2 });
    await small.load();
    expect((await small.search('distance', 10)).map(({ tool }) => tool.toolId).sort()).toEqual(ids);
    for (const id of [...ids, ...ids]) expect((await small.get(id))?.toolId).toBe(id);
    await publishCatalogue(
      database.pool,
      systemClock,
      sampleSource({ tools: [sampleTool({ name: { en: 'Xylophone' } })] }),
    );
    // The row is newer than what the copy has heard of: it is told each time, and never the one before it.
    for (let asked = 0; asked < 2; asked += 1) {
      expect((await small.find(ids)).get(toolId)?.name.en).toBe('Xylophone');
    }
    await small.refresh(ids);
    expect([small.size, small.known(named('one')), await small.get(named('one'))]).toEqual([1, undefined, undefined]);
    expect((await small.search('xylophone', 5)).map(({ tool }) => tool.name.en)).toEqual(['Xylophone']);
    await small.close();
  });

  it('refuses searches while its index is built anew, and then finds what there is', async () => {
    await publishCatalogue(database.pool, systemClock, sampleSource());
    const threads: ToolIndexThread[] = [];
    const ends: Error[] = [];
    const own = new CatalogueCopy({
      pool: database.pool,
      openIndex: (onEnd) => {
        const thread = openIndex(onEnd);
        threads.push(thread);
        return thread;
      },
      onIndexEnd: (error) => ends.push(error),
    });
    await own.load();
    await (Reflect.get(threads[0] ?? {}, 'thread') as Worker).terminate();
    expect([own.isSearchable, ends.length]).toEqual([false, 1]);
    await expect(own.search('distance', 5)).rejects.toMatchObject({ code: 'service_unavailable' });
    const asked = own.documentFrequenciesOf(['distance']).catch(classifyError);
    expect(await asked).toBe('transient');
    while (!own.isSearchable) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await own.search('distance', 5)).map(({ tool }) => tool.toolId)).toEqual([toolId]);
    await own.close();
  });

  it('refuses a search where a thousand wait for the index', async () => {
    const waiting = Array.from({ length: MAX_WAITING_SEARCHES }, () => copy.search('distance', 1));
    await expect(copy.search('distance', 1)).rejects.toMatchObject({ code: 'service_unavailable' });
    await Promise.all(waiting);
    expect(await copy.search('distance', 1)).toHaveLength(1);
  });

  it('knows which tools have an alternative, and which are verified unasked', async () => {
    const capabilities = [{ id: 'geo.distance.v1', tags: [] }];
    const one = sampleTool({ toolId: named('one'), capabilities });
    const other = sampleTool({ toolId: named('other'), capabilities });
    const alternatives = async () => {
      const contracts = await copy.find([one.toolId, toolId]);
      return [...contracts.values()].filter((tool) => copy.hasAlternative(tool)).map((tool) => tool.toolId);
    };
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [sampleTool(), one, other] }));
    await eventually(() => copy.size === 3);
    expect(await alternatives()).toEqual([one.toolId]);
    expect([...copy.withExamples()].map((tool) => tool.toolId).sort()).toEqual(
      [toolId, one.toolId, other.toolId].sort(),
    );
    await publishCatalogue(database.pool, systemClock, sampleSource({ tools: [sampleTool(), one] }));
    await eventually(() => copy.size === 2);
    expect(await alternatives()).toEqual([]);
  });
});
