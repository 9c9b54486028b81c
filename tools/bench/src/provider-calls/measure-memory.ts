import type { ExpectedBooks } from '../accounted-calls/books.js';
import type { StandaloneTarget } from '../accounted-calls/on-standalone.js';
import { clean } from '../load/rounds.js';
import { LoadGenerator } from '../load/run-load.js';
import { sampleWhile } from '../load/sample-while.js';
import type { Memory } from '../machine/processes.js';
import { megabytes } from '../report/markdown.js';
import type { LoopbackProcesses } from './loopback-processes.js';
import { growthPerCall } from './memory-trend.js';
import { parameters, toolIdOf, type PublishedTool } from './publish-tools.js';
import type { MemorySizes } from './sizes.js';

const CONNECTIONS = 32;
const MILLISECONDS_PER_SECOND = 1_000;

interface Sample {
  readonly calls: number;
  readonly node: Memory;
  readonly postgres: Memory;
}

/** Bytes. */
export interface MemoryRow {
  readonly start: number;
  readonly most: number;
  readonly end: number;
  /** For each call, over the later half of the calls. */
  readonly growthPerCall: number;
}

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
  readonly rows: Readonly<Record<'node' | 'postgres', Readonly<Record<keyof Memory, MemoryRow>>>>;
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
    const before = (await processes.counts()).answered;
    const samples: Sample[] = [];
    const take = async (): Promise<void> => {
      const { answered } = await processes.counts();
      samples.push({ calls: answered - before, node: target.nodeMemory(), postgres: target.postgresMemory() });
    };
    const startedMs = performance.now();
    const runParts = async (): Promise<number> => {
      let calls = 0;
      while (calls < sizes.calls && performance.now() - startedMs < sizes.maxMs) {
        calls += await run(Math.min(sizes.callsPerPart, sizes.calls - calls));
        log(`${calls} calls in ${seconds(startedMs).toFixed(0)} s, ${megabytes(samples.at(-1)?.node.rss ?? 0)} MB RSS`);
      }
      return calls;
    };
    await take();
    const calls = await sampleWhile(runParts(), sizes.sampleMs, take);
    await take();
    return {
      connections: CONNECTIONS,
      wanted: sizes.calls,
      warmUpCalls: sizes.warmUpCalls,
      calls,
      seconds: seconds(startedMs),
      providerCalls: (await processes.counts()).answered - before,
      samples: samples.length,
      rows: { node: rowsOf(samples, 'node'), postgres: rowsOf(samples, 'postgres') },
    };
  } finally {
    await load.stop();
  }
}

const seconds = (sinceMs: number): number => (performance.now() - sinceMs) / MILLISECONDS_PER_SECOND;

function rowsOf(samples: readonly Sample[], process: 'node' | 'postgres'): Record<keyof Memory, MemoryRow> {
  const row = (kind: keyof Memory): MemoryRow => {
    const values = samples.map((sample) => ({ calls: sample.calls, bytes: sample[process][kind] }));
    return {
      start: values[0]?.bytes ?? Number.NaN,
      most: Math.max(...values.map(({ bytes }) => bytes)),
      end: values.at(-1)?.bytes ?? Number.NaN,
      growthPerCall: growthPerCall(values),
    };
  };
  return { rss: row('rss'), pss: row('pss') };
}
