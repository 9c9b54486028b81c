import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IndexEnded, type SearchDocument, type ToolIndexThread } from '@capability-router/tool-search';
import { openIndex } from '../test-support/open-index.js';
import { fill, IndexKeeper } from './index-keeper.js';

const DEADLINE_MS = 40_000;
const documentOf = (toolId: string): SearchDocument => ({
  toolId,
  name: [`quokka ${toolId}`],
  description: [],
  provider: [],
  category: [],
  params: [],
});

describe('the keeper of an index', () => {
  const keepers: IndexKeeper[] = [];
  const threads: ToolIndexThread[] = [];
  const ends: Error[] = [];
  const keeperOf = (
    documents: SearchDocument[],
    afterFirst: () => void = () => undefined,
    beforeOpening: () => void = () => undefined,
  ): IndexKeeper => {
    const keeper = new IndexKeeper(
      (onEnd) => {
        beforeOpening();
        const thread = openIndex(onEnd);
        threads.push(thread);
        return thread;
      },
      async function* () {
        for (const document of documents) {
          yield [document];
          afterFirst();
        }
      },
      (error) => ends.push(error),
    );
    keepers.push(keeper);
    return keeper;
  };
  const kill = async (): Promise<void> => {
    await (Reflect.get(threads.at(-1) ?? {}, 'thread') as Worker).terminate();
  };
  const found = async (keeper: IndexKeeper): Promise<string[]> =>
    (await keeper.search('quokka', { limit: 10 })).map(({ toolId }) => toolId).sort();
  const whole = async (keeper: IndexKeeper): Promise<void> => {
    const end = performance.now() + DEADLINE_MS;
    while (!keeper.isWhole) {
      if (performance.now() > end) throw new Error('the index was not built anew');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  afterEach(async () => {
    await Promise.all(keepers.splice(0).map((keeper) => keeper.close()));
    threads.length = 0;
    ends.length = 0;
  });

  it('makes one change after the other', async () => {
    const keeper = keeperOf([]);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const first = keeper.change(async (index) => {
      await held;
      await index.upsert([documentOf('one')]);
    });
    const second = keeper.change((index) => index.remove(['one']));
    release();
    await first;
    await second;
    expect(await found(keeper)).toEqual([]);
  });

  it('builds an index that ended anew, with the documents that there are then, and refuses searches until it is whole', async () => {
    const documents = [documentOf('one')];
    const keeper = keeperOf(documents);
    await keeper.change((index) => index.upsert(documents));
    documents.push(documentOf('two'));
    await kill();
    expect([keeper.isWhole, ends]).toEqual([false, [expect.any(IndexEnded)]]);
    await expect(keeper.search('quokka', { limit: 10 })).rejects.toThrow(IndexEnded);
    const change = keeper.change((index) => index.upsert([documentOf('three')]));
    await whole(keeper);
    await change;
    expect(await found(keeper)).toEqual(['one', 'three', 'two']);
  });

  it('goes on with a change that the end interrupts, whose documents the next index is given', async () => {
    const documents: SearchDocument[] = [];
    const keeper = keeperOf(documents);
    await keeper.change(async (index) => {
      await kill();
      for (const toolId of ['one', 'two']) {
        documents.push(documentOf(toolId));
        await index.upsert([documentOf(toolId)]);
      }
    });
    await whole(keeper);
    expect(await found(keeper)).toEqual(['one', 'two']);
  });

  it('tries again where the next one ends as well', async () => {
    const keeper = keeperOf([documentOf('one')]);
    await kill();
    while (threads.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    await kill();
    await whole(keeper);
    expect(await found(keeper)).toEqual(['one']);
    expect(threads).toHaveLength(3);
  });

  it('tries again where the documents cannot be read, and is not searched with a part of them', async () => {
    const documents = [documentOf('one')];
    let readings = 0;
    const keeper = keeperOf(documents, () => {
      readings += 1;
      if (readings === 1) throw new Error('the database is away');
    });
    await kill();
    await whole(keeper);
    expect(await found(keeper)).toEqual(['one']);
    expect(ends.map(({ message }) => message)).toEqual([expect.stringContaining('ended'), 'the database is away']);
    expect(threads).toHaveLength(3);
  });

  it('tries again where no thread can be started', async () => {
    let openings = 0;
    const failing = (): void => {
      openings += 1;
      if (openings === 2 || openings === 3) throw new Error('EAGAIN');
    };
    const keeper = keeperOf([documentOf('one')], undefined, failing);
    await kill();
    await whole(keeper);
    expect(await found(keeper)).toEqual(['one']);
    expect(ends.map(({ message }) => message)).toEqual([expect.stringContaining('ended'), 'EAGAIN', 'EAGAIN']);
    expect(threads).toHaveLength(2);
  });

  it('stays closed', async () => {
    const keeper = keeperOf([]);
    await kill();
    await keeper.close();
    expect(threads).toHaveLength(1);
  });
});

describe('a load of the index', () => {
  /** An index that takes a part in when it is told to; `made` are the parts that were asked for. */
  const loading = () => {
    const made: number[] = [];
    const taking: { resolve: () => void; reject: (error: Error) => void }[] = [];
    let isFinished = false;
    const index = {
      addBulk: () => new Promise<void>((resolve, reject) => taking.push({ resolve, reject })),
      finishBulk: async () => void (isFinished = true),
    };
    async function* parts(): AsyncGenerator<SearchDocument[]> {
      for (let part = 1; part <= 3; part += 1) {
        made.push(part);
        yield [documentOf(`t${part}`)];
      }
    }
    return { made, taking, loaded: fill(index, parts()), isFinished: () => isFinished };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('makes the next part while the index takes in one, and no more', async () => {
    const { made, taking, loaded, isFinished } = loading();
    await turn();
    expect(made).toEqual([1, 2]);
    taking[0]?.resolve();
    await turn();
    expect(made).toEqual([1, 2, 3]);
    taking[1]?.resolve();
    await turn();
    expect(isFinished()).toBe(false);
    taking[2]?.resolve();
    await loaded;
    expect(isFinished()).toBe(true);
  });

  it('fails where the index takes in the last part or one before it no more', async () => {
    const first = loading();
    await turn();
    first.taking[0]?.reject(new IndexEnded('ended'));
    await expect(first.loaded).rejects.toThrow(IndexEnded);
    const last = loading();
    for (const part of [0, 1]) {
      await turn();
      last.taking[part]?.resolve();
    }
    await turn();
    last.taking[2]?.reject(new IndexEnded('ended'));
    await expect(last.loaded).rejects.toThrow(IndexEnded);
    expect(last.isFinished()).toBe(false);
  });
});
