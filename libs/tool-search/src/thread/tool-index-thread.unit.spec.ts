import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadChineseGlosses } from '../glosses/index.js';
import { shippedOptions } from '../shipped-options.js';
import { builtinCatalogue } from '../test-support/builtin-catalogue.js';
import { needs } from '../test-support/paired-needs.js';
import { ToolIndex } from '../tool-index.js';
import { IndexEnded, ToolIndexThread } from './tool-index-thread.js';

const LIMIT = 20;

describe('an index in a thread', () => {
  const threads: ToolIndexThread[] = [];
  const ends: Error[] = [];
  const open = (wordVectors = true): ToolIndexThread => {
    const thread = new ToolIndexThread({
      glosses: loadChineseGlosses(),
      wordVectors,
      onEnd: (error) => ends.push(error),
    });
    threads.push(thread);
    return thread;
  };
  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.close()));
    ends.length = 0;
  });

  it('finds what an index of this thread finds, by the same scores', async () => {
    const thread = open();
    await thread.upsert(builtinCatalogue);
    const index = new ToolIndex(builtinCatalogue, shippedOptions());
    for (const query of needs.flatMap(([english, chinese]) => [english, chinese])) {
      const options = { limit: LIMIT, minFit: 0.3 };
      expect({ query, hits: await thread.search(query, options) }).toEqual({
        query,
        hits: index.search(query, options),
      });
    }
  });

  it('hears the evidence of a model', async () => {
    const thread = open(false);
    await thread.upsert(builtinCatalogue);
    const [{ toolId } = { toolId: '' }] = builtinCatalogue;
    const semantic = { share: 1, byTool: new Map([[toolId, { likeness: 1, fit: 1 }]]) };
    expect(await thread.search('qwxzot', { limit: 1, semantic })).toMatchObject([{ toolId, score: 1 }]);
  });

  it('does what it is asked in its order, and loads in parts', async () => {
    const thread = open();
    const [first, second, ...others] = builtinCatalogue;
    if (first === undefined || second === undefined) throw new Error('there are no tools');
    const ids = async (query: string) => (await thread.search(query, { limit: 1 })).map(({ toolId }) => toolId);
    void thread.addBulk([first, ...others]);
    const before = ids(first.toolId);
    void thread.finishBulk();
    const loaded = ids(first.toolId);
    void thread.upsert([second]);
    void thread.remove([first.toolId]);
    expect(await before).toEqual([]);
    expect(await loaded).toEqual([first.toolId]);
    expect(await ids(second.toolId)).toEqual([second.toolId]);
    expect(await ids(first.toolId)).not.toContain(first.toolId);
    await thread.settled();
    const [held = 0, unheld] = await thread.documentFrequenciesOf(['date', 'qwxzot']);
    expect(held).toBeGreaterThan(0);
    expect(unheld).toBe(0);
  });

  it('says that it ended, fails whatever it was asked, and nothing of it when it is closed', async () => {
    const ended = open();
    await ended.upsert(builtinCatalogue);
    const asked = ended.search('weather', { limit: 1 });
    await (Reflect.get(ended, 'thread') as Worker).terminate();
    await expect(asked).rejects.toThrow(IndexEnded);
    await expect(ended.search('weather', { limit: 1 })).rejects.toThrow(IndexEnded);
    expect(ends).toEqual([expect.any(IndexEnded)]);
    await open().close();
    expect(ends).toHaveLength(1);
  });
});
