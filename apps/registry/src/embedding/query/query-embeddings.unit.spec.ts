import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@capability-router/kernel';
import { ModelError } from '../embedder.js';
import { BudgetedModel } from './budgeted-model.js';
import { QueryEmbeddings } from './query-embeddings.js';

const HOUR_MS = 3_600_000;

/** A model that answers when told to, beside a budget that is over when told so. */
function setUp(cacheEntries = 100) {
  const clock = new ManualClock(0);
  const asked: { text: string; answer: (vector?: Float32Array) => void; fail: (error: Error) => void }[] = [];
  const budgets: (() => void)[] = [];
  const failures: unknown[] = [];
  const model = new BudgetedModel({
    budgetMs: 60,
    breakerPauseMs: 1_000_000,
    onFailure: (error) => failures.push(error),
    wait: () => new Promise((resolve) => budgets.push(resolve)),
  });
  const embedder = {
    embed: ([text = '']: readonly string[]) =>
      new Promise<Float32Array[]>((resolve, reject) => {
        asked.push({ text, answer: (vector = Float32Array.of(1)) => resolve([vector]), fail: reject });
      }),
  };
  const queries = new QueryEmbeddings(embedder, model, cacheEntries, clock);
  const remember = async (text: string): Promise<void> => {
    const answer = queries.of(text);
    asked.at(-1)?.answer();
    await answer;
  };
  const fail = async (text: string, error: Error): Promise<string> => {
    const answer = queries.of(text);
    asked.at(-1)?.fail(error);
    return (await answer).status;
  };
  return { clock, asked, budgets, failures, queries, remember, fail };
}

describe('vectors of queries', () => {
  it('are asked for once, whatever blanks and forms of letters the query has, until they are old', async () => {
    const { queries, asked, remember, clock } = setUp();
    await remember('café');
    expect(await queries.of('  cafe\u0301 ')).toMatchObject({ status: 'answered' });
    expect(asked).toHaveLength(1);
    clock.advanceMs(HOUR_MS);
    void queries.of('café');
    expect(asked).toHaveLength(2);
  });

  it('are asked for once by many who ask at the same time', async () => {
    const { queries, asked } = setUp();
    const all = Promise.all([queries.of('same'), queries.of('same'), queries.of('same')]);
    asked[0]?.answer(Float32Array.of(2));
    expect((await all).map(({ status }) => status)).toEqual(['answered', 'answered', 'answered']);
    expect(asked).toHaveLength(1);
  });

  it('are forgotten in the order of their last use', async () => {
    const { queries, asked, remember } = setUp(2);
    for (const text of ['a', 'b']) await remember(text);
    await queries.of('a');
    await remember('c');
    await queries.of('a');
    expect(asked.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
    void queries.of('b');
    expect(asked).toHaveLength(4);
  });

  it('that come late help the next search', async () => {
    const { queries, asked, budgets } = setUp();
    const first = queries.of('slow');
    budgets[0]?.();
    expect(await first).toEqual({ status: 'late' });
    asked[0]?.answer(Float32Array.of(3));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await queries.of('slow')).toEqual({ status: 'answered', value: Float32Array.of(3) });
    expect(asked).toHaveLength(1);
  });

  it('are not asked for while the model fails and fails', async () => {
    const { queries, asked, failures, fail } = setUp();
    for (let time = 0; time < 5; time += 1) expect(await fail('q', new Error('down'))).toBe('failed');
    expect(await queries.of('q')).toEqual({ status: 'breaker_open' });
    expect([asked.length, failures.length]).toEqual([5, 5]);
  });

  it('that the model refuses say nothing about other queries', async () => {
    const { asked, fail, remember } = setUp();
    for (let time = 0; time < 8; time += 1) await fail('odd', new ModelError('refused', 'too long'));
    await remember('fine');
    expect(asked).toHaveLength(9);
  });

  it('are not piled up in front of a model that hangs', async () => {
    const { queries, asked } = setUp();
    for (let each = 0; each < 64; each += 1) void queries.of(`q${each}`);
    expect(await queries.of('one more')).toEqual({ status: 'busy' });
    expect(asked).toHaveLength(64);
  });
});
