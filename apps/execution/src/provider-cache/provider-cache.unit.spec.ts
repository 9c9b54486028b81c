import { describe, expect, it } from '@jest/globals';
import { setImmediate as tick } from 'node:timers/promises';
import { ManualClock } from '@capability-router/kernel';
import { pino } from 'pino';
import { toolContract } from '../test-support/tool-contract.js';
import type { CachedResult, ResultCache } from './cached-result.js';
import { MemoryResultCache } from './memory-result-cache.js';
import { ProviderCache, type CacheQuery } from './provider-cache.js';

const TTL_MS = 1_000;
const logger = pino({ level: 'silent' });
const outcome = {
  outcome: 'success',
  reasonCode: 'result.valid',
  transportSuccess: true,
  providerSuccess: true,
  billableSuccess: true,
  resultValid: true,
  userMessage: '',
  retryable: false,
} as const;
const resultOf = (text: string): CachedResult => ({ outcome, serialized: Buffer.from(JSON.stringify(text)) });
const textOf = ({ serialized }: CachedResult): string => JSON.parse(serialized.toString()) as string;

/** A run under way, which the test ends. */
interface Run {
  readonly deadlineMs: number;
  end(answer: string | undefined): void;
  fail(): void;
}

function setUp(store?: ResultCache) {
  const clock = new ManualClock(1_000_000);
  const bounds = { maxEntries: 100, maxBytes: 1_000_000, maxEntryBytes: 100_000 };
  const runs: Run[] = [];
  const cache = new ProviderCache({
    store: store ?? new MemoryResultCache(bounds, clock),
    credentials: { revision: () => Promise.resolve(undefined) },
    clock,
    logger,
  });
  const ask = async (over: Partial<CacheQuery> = {}): Promise<string> => {
    const query = {
      tool: toolContract(),
      parameters: { city: 'Bern' },
      accountId: 'a',
      ttlMs: TTL_MS,
      deadlineMs: 60_000,
    };
    const found = await cache.answer({ ...query, ...over });
    if (found.kind === 'hit') return `hit ${textOf(found.result)}`;
    if (found.kind === 'late') return 'late';
    const { deadlineMs, share } = found;
    let answer: string | undefined;
    try {
      answer = await new Promise<string | undefined>((resolve, reject) => {
        runs.push({ deadlineMs, end: resolve, fail: () => reject(new Error('broken')) });
      });
    } finally {
      share(answer === undefined ? undefined : resultOf(answer));
    }
    return `ran ${answer ?? 'in vain'}`;
  };
  return { ask, runs, clock };
}

let commands = 0;
const fail = (): Promise<never> => {
  commands += 1;
  return Promise.reject(new Error('down'));
};
const failingStore: ResultCache = { get: fail, put: fail };

describe('the provider cache', () => {
  it('answers an equal call until the result is too old, and in any order of its parameters', async () => {
    const { ask, runs, clock } = setUp();
    const first = ask({ parameters: { a: 1, b: [1, { d: 1, c: 2 }] } });
    await tick();
    runs[0]?.end('one');
    expect(await first).toBe('ran one');
    expect(await ask({ parameters: { b: [1, { c: 2, d: 1 }], a: 1 } })).toBe('hit one');
    clock.advanceMs(TTL_MS);
    const late = ask({ parameters: { a: 1, b: [1, { d: 1, c: 2 }] } });
    await tick();
    runs[1]?.end('two');
    expect(await late).toBe('ran two');
  });

  it.each<[string, Partial<CacheQuery>]>([
    ['parameters', { parameters: { city: 'Ulm' } }],
    ['type of a parameter', { parameters: { city: 1 } }],
    ['tool', { tool: toolContract({ toolId: 'demo.weather.other.v1' }) }],
    ['version of the tool', { tool: toolContract({ version: 2 }) }],
    ['manifest of the tool', { tool: toolContract({ schemaHash: 'b'.repeat(64) }) }],
    [
      'account, where calls carry its own credentials',
      { tool: toolContract({ provider: { ...toolContract().provider, credential: 'account' } }) },
    ],
  ])('never answers for another %s', async (_what, over) => {
    const { ask, runs } = setUp();
    const first = ask();
    await tick();
    runs[0]?.end('one');
    await first;
    const other = ask(over);
    await tick();
    runs[1]?.end('other');
    expect(await other).toBe('ran other');
  });

  it('lets accounts share a result that is not of their own credentials, and only then', async () => {
    const { ask, runs } = setUp();
    const own = toolContract({ provider: { ...toolContract().provider, credential: 'account' } });
    for (const tool of [toolContract(), own]) {
      const first = ask({ tool });
      await tick();
      runs.at(-1)?.end('mine');
      await first;
    }
    expect(await ask({ accountId: 'b' })).toBe('hit mine');
    expect(await ask({ tool: own })).toBe('hit mine');
    const other = ask({ tool: own, accountId: 'b' });
    await tick();
    runs.at(-1)?.end('theirs');
    expect(await other).toBe('ran theirs');
  });

  it('does not cache a call whose credential is not there', async () => {
    const { ask, runs } = setUp();
    const binding = { kind: 'http', method: 'GET', url: 'https://a.example', placements: {}, auth: { kind: 'bearer' } };
    const tool = toolContract({ binding: binding as never });
    for (let count = 1; count <= 2; count += 1) {
      const call = ask({ tool });
      await tick();
      expect(runs).toHaveLength(count);
      runs.at(-1)?.end('x');
      expect(await call).toBe('ran x');
    }
  });

  it('runs once for all who ask at the same time', async () => {
    const { ask, runs } = setUp();
    const calls = Array.from({ length: 20 }, () => ask());
    await tick();
    expect(runs).toHaveLength(1);
    runs[0]?.end('one');
    expect((await Promise.all(calls)).sort()).toEqual([...Array<string>(19).fill('hit one'), 'ran one']);
  });

  it.each<[string, (run: Run | undefined) => void, string]>([
    ['fails', (run) => run?.fail(), 'broken'],
    ['has nothing to share', (run) => run?.end(undefined), 'ran in vain'],
  ])('leaves those who waited to themselves where the first %s', async (_what, end, firstAnswer) => {
    const { ask, runs } = setUp();
    const first = ask().catch((error: Error) => error.message);
    const others = [ask(), ask(), ask()];
    await tick();
    end(runs[0]);
    expect(await first).toBe(firstAnswer);
    await tick();
    expect(runs).toHaveLength(4);
    for (const [index, run] of runs.slice(1).entries()) run.end(`own ${index}`);
    expect(await Promise.all(others)).toEqual(['ran own 0', 'ran own 1', 'ran own 2']);
  });

  it('gives those who waited their own deadline, less what they waited for', async () => {
    const { ask, runs, clock } = setUp();
    const first = ask();
    await tick();
    clock.advanceMs(500);
    const second = ask({ deadlineMs: 10_000 });
    await tick();
    clock.advanceMs(2_500);
    runs[0]?.end(undefined);
    await first;
    await tick();
    expect(runs.map(({ deadlineMs }) => deadlineMs)).toEqual([60_000, 7_500]);
    runs[1]?.end('x');
    expect(await second).toBe('ran x');
  });

  it('does not keep anybody beyond their own deadline, and runs nothing for them then', async () => {
    const { ask, runs } = setUp();
    const first = ask();
    await tick();
    expect(await ask({ deadlineMs: 1 })).toBe('late');
    expect(runs).toHaveLength(1);
    runs[0]?.end('one');
    expect(await first).toBe('ran one');
    expect(await ask()).toBe('hit one');
  });

  it('runs every call where its store is down, and still once at a time', async () => {
    const { ask, runs } = setUp(failingStore);
    for (let count = 1; count <= 2; count += 1) {
      const calls = [ask(), ask()];
      await tick();
      expect(runs).toHaveLength(count);
      runs.at(-1)?.end('x');
      expect(await Promise.all(calls)).toEqual(['ran x', 'hit x']);
      await tick();
    }
  });
});

describe('a store that is down', () => {
  it('is left alone for a second, and then asked again', async () => {
    const { ask, runs, clock } = setUp(failingStore);
    commands = 0;
    for (const expected of [1, 1, 2]) {
      if (expected === 2) clock.advanceMs(1_000);
      const call = ask();
      await tick();
      runs.at(-1)?.end('x');
      expect(await call).toBe('ran x');
      expect(commands).toBe(expected);
      await tick();
    }
  });
});

describe('the cache in memory', () => {
  it('stays within its bounds in number and bytes, and keeps nothing that is too large', async () => {
    const clock = new ManualClock(0);
    const cache = new MemoryResultCache({ maxEntries: 3, maxBytes: 10_000, maxEntryBytes: 6_000 }, clock);
    for (const name of ['a', 'b', 'c', 'd']) await cache.put(name, resultOf(name), TTL_MS);
    expect(await cache.get('a')).toBeUndefined();
    await cache.put('large', resultOf('x'.repeat(5_000)), TTL_MS);
    await cache.put('next', resultOf('x'.repeat(5_000)), TTL_MS);
    expect(cache.bytes).toBeLessThanOrEqual(10_000);
    expect(await cache.get('large')).toBeUndefined();
    await cache.put('huge', resultOf('x'.repeat(7_000)), TTL_MS);
    expect(await cache.get('huge')).toBeUndefined();
    expect(await cache.get('next')).toBeDefined();
  });
});
