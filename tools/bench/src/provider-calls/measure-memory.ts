import type { ExpectedBooks } from '../accounted-calls/books.js';
import type { StandaloneTarget } from '../accounted-calls/on-standalone.js';
import { clean } from '../load/rounds.js';
import { LoadGenerator } from '../load/run-load.js';
import { sampleWhile } from '../load/sample-while.js';
import { megabytes } from '../report/markdown.js';
import type { LoopbackProcesses } from './loopback-processes.js';
import { peaksOf, type MemorySample, type Peaks } from './memory-trend.js';
import { parameters, toolIdOf, type PublishedTool } from './publish-tools.js';
import type { MemorySizes } from './sizes.js';

const CONNECTIONS = 32;
const MILLISECONDS_PER_SECOND = 1_000;

export interface MemoryResult {
  readonly connections: number;
  /** As asked for. */
  readonly wanted: number;
  readonly warmUpCalls: number;
  /** Fewer than asked for where the time was up. */
  readonly calls: number;
  readonly seconds: number;
  /** Requests that the provider got for these calls. */
  readonly providerCalls: number;
  readonly samples: number;
  /** Bytes that the main thread of Node holds after a full collection. */
  readonly liveHeap: {
    readonly start: number;
    readonly middle: number;
    readonly end: number;
    /** For each call, over the second half of the calls. */
    readonly growthPerCall: number;
  };
  readonly pss: Readonly<Record<'node' | 'postgres', Peaks>>;
}

export interface MemorySite {
  readonly target: StandaloneTarget;
  readonly processes: LoopbackProcesses;
  readonly books: ExpectedBooks;
  readonly keys: readonly string[];
  readonly tool: PublishedTool;
}

/** Paid calls as fast as they go, and the memory that they take; every part of them is drained and booked. */
export async function measureMemory(
  { target, processes, books, keys, tool }: MemorySite,
  sizes: MemorySizes,
  log: (line: string) => void,
): Promise<MemoryResult> {
  const load = new LoadGenerator();
  const run = async (amount: number): Promise<number> => {
    const result = clean(
      await load.run({
        origin: target.origin,
        method: 'POST',
        path: '/api/v1/tools/execute',
        body: JSON.stringify({ tool_id: toolIdOf(tool), parameters }),
        keys,
        connections: CONNECTIONS,
        amount,
        requireSuccess: true,
      }),
    );
    await books.settled({ paid: result.good, free: 0 }, result.lastAnswerAtMs);
    return result.good;
  };
  try {
    await run(sizes.warmUpCalls);
    const before = (await processes.counts(tool.delayMs)).answered;
    const samples: MemorySample[] = [];
    let half: MemorySample['half'] = 'first';
    const take = async (): Promise<void> => {
      samples.push({ half, node: target.nodeMemory(), postgres: target.postgresMemory() });
      await Promise.resolve();
    };
    const startedMs = performance.now();
    const runHalf = async (): Promise<number> => {
      const amount = sizes.calls / 2;
      const halfStartedMs = performance.now();
      let calls = 0;
      while (calls < amount && performance.now() - halfStartedMs < sizes.maxMs / 2) {
        calls += await run(Math.min(sizes.callsPerPart, amount - calls));
        const rss = megabytes(samples.at(-1)?.node.rss ?? 0);
        log(`${half} half: ${calls} calls in ${seconds(halfStartedMs).toFixed(0)} s, ${rss} MB RSS`);
      }
      await take();
      return calls;
    };
    const runBoth = async (): Promise<Pick<MemoryResult, 'calls' | 'liveHeap'>> => {
      const start = await target.liveHeapBytes();
      const first = await runHalf();
      const middle = await target.liveHeapBytes();
      half = 'second';
      const second = await runHalf();
      const end = await target.liveHeapBytes();
      const growthPerCall = (end - middle) / second;
      return { calls: first + second, liveHeap: { start, middle, end, growthPerCall } };
    };
    const measured = await sampleWhile(runBoth(), sizes.sampleMs, take);
    return {
      ...measured,
      connections: CONNECTIONS,
      wanted: sizes.calls,
      warmUpCalls: sizes.warmUpCalls,
      seconds: seconds(startedMs),
      providerCalls: (await processes.counts(tool.delayMs)).answered - before,
      samples: samples.length,
      pss: {
        node: peaksOf(samples, ({ node }) => node.pss),
        postgres: peaksOf(samples, ({ postgres }) => postgres.pss),
      },
    };
  } finally {
    await load.stop();
  }
}

const seconds = (sinceMs: number): number => (performance.now() - sinceMs) / MILLISECONDS_PER_SECOND;
