import { setTimeout } from 'node:timers/promises';
import { percentile } from '@capability-router/tools-bench';
import { shippedOptions, ToolIndex, type SearchDocument } from '@capability-router/tool-search';
import type { EvalQuery } from '../data/eval-data.js';

/** Queries that are timed, spread over all of them. */
const TIMED_QUERIES = 2_000;
const WARM_UP_QUERIES = 500;
/** Tools that are added and found again, one after the other. */
const ADDED_TOOLS = 50;
const RESULTS = 10;
const COLLECTION_MS = 100;

export interface Speed {
  readonly tools: number;
  /** Milliseconds from documents in memory to an index that answers; the first build of the process. */
  readonly buildMs: number;
  /** Bytes that the index holds on to: heap and buffers, after a collection. */
  readonly bytes: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** Milliseconds from `upsert` of one tool until a search for its name has it first: median and largest. */
  readonly visibleMs: { readonly median: number; readonly most: number };
}

/** Builds the index of `documents` and times searches one after the other. The index is handed back for further use. */
export async function measureSpeed(
  documents: readonly SearchDocument[],
  queries: readonly EvalQuery[],
): Promise<{ readonly speed: Speed; readonly index: ToolIndex }> {
  // Read once a process and the same for every index.
  const options = shippedOptions();
  const before = await bytesInUse();
  const startedMs = performance.now();
  const index = new ToolIndex(documents, options);
  const buildMs = performance.now() - startedMs;
  const bytes = (await bytesInUse()) - before;
  const step = Math.max(1, Math.floor(queries.length / TIMED_QUERIES));
  const texts = queries.filter((_, at) => at % step === 0).map(({ text }) => text);
  for (const text of texts.slice(0, WARM_UP_QUERIES)) index.search(text, { limit: RESULTS });
  const times = ascending(texts.map((text) => timeMs(() => index.search(text, { limit: RESULTS }))));
  const visible = ascending(Array.from({ length: ADDED_TOOLS }, (_, number) => untilVisibleMs(index, number)));
  return {
    index,
    speed: {
      tools: documents.length,
      buildMs,
      bytes,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      mostMs: percentile(times, 1),
      visibleMs: { median: percentile(visible, 0.5), most: percentile(visible, 1) },
    },
  };
}

const ascending = (values: number[]): number[] => values.sort((a, b) => a - b);

function timeMs(run: () => unknown): number {
  const startedMs = performance.now();
  run();
  return performance.now() - startedMs;
}

/** Throws when the added tool is not first, or is still found once it is removed. */
function untilVisibleMs(index: ToolIndex, number: number): number {
  const toolId = `bench.visible.number${number}.v1`;
  const name = `Visible quokka ${number}`;
  const document = { toolId, name: [name], description: [], provider: [], category: [], params: [] };
  const elapsed = timeMs(() => {
    index.upsert([document]);
    if (index.search(name, { limit: 1 })[0]?.toolId !== toolId) throw new Error(`${toolId} is not first for its name`);
  });
  index.remove([toolId]);
  if (index.search(name, { limit: 1 })[0]?.toolId === toolId) throw new Error(`${toolId} is found after its removal`);
  return elapsed;
}

/** Needs `--expose-gc`. Buffers are freed beside the program, so that one collection does not count all that is freed. */
async function bytesInUse(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('memory is measured under node --expose-gc');
  globalThis.gc();
  await setTimeout(COLLECTION_MS);
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
