import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { builtinOperationsUrl, builtinProviders, builtinTools } from '@capability-router/builtin-tools';
import { BuiltinAdapter } from '@capability-router/provider-kit';
import type { JsonObject } from '@capability-router/kernel';
import { medianOf, percentile } from '../statistics.js';

const ROUNDS = 7;
/** Calls of one way in one round, one after another. */
const CALLS = 2_000;
/** Calls before the first round: both ways are warm, as the bar has it. */
const WARM_UP = 2_000;
const DEADLINE_MS = 10_000;
const MAX_RESULT_BYTES = 8 * 1_048_576;
const tasksUrl = new URL('./builtin/operations-tasks.js', import.meta.resolve('@capability-router/provider-kit')).href;

interface Work {
  readonly what: string;
  readonly toolId: string;
  readonly parameters: JsonObject;
}

const LARGE_ROWS = 1_000;
const works: readonly Work[] = [
  { what: 'a short expression', toolId: 'formula.expression.evaluate.v1', parameters: { expression: '6 * 7' } },
  {
    what: `${LARGE_ROWS} numbers`,
    toolId: 'formula.statistics.describe.v1',
    parameters: { numbers: Array.from({ length: LARGE_ROWS }, (_, index) => index) },
  },
];

export interface BuiltinCallsRow {
  readonly what: string;
  readonly processP50Ms: number;
  readonly processP99Ms: number;
  readonly threadP50Ms: number;
  readonly threadP99Ms: number;
  /** Milliseconds that a process costs more at p50: the median of the differences of the rounds. */
  readonly addedP50Ms: number;
}

export interface BuiltinCallsResult {
  readonly rows: readonly BuiltinCallsRow[];
  readonly rounds: number;
  readonly calls: number;
}

type Run = (parameters: JsonObject) => Promise<unknown>;

/** Calls of built-in tools in a warm process, as execution makes them, and the same operations in a warm thread, turn about. */
export async function measureBuiltinCalls(log: (line: string) => void): Promise<BuiltinCallsResult> {
  const adapter = new BuiltinAdapter({ operationsUrl: builtinOperationsUrl });
  await adapter.start();
  const settings = { operationsUrl: builtinOperationsUrl, maxResultBytes: MAX_RESULT_BYTES };
  const thread = new Worker(new URL('./operations-thread.js', import.meta.url), { workerData: { tasksUrl, settings } });
  try {
    await once(thread, 'message');
    const rows: BuiltinCallsRow[] = [];
    for (const work of works) {
      rows.push(await compare(work, inProcess(adapter, work.toolId), inThread(thread, work.toolId)));
      log(`${work.what}: ${rows.at(-1)?.addedP50Ms.toFixed(3)} ms more in a process`);
    }
    return { rows, rounds: ROUNDS, calls: CALLS };
  } finally {
    await Promise.all([adapter.close(), thread.terminate()]);
  }
}

async function compare({ what, parameters }: Work, process: Run, thread: Run): Promise<BuiltinCallsRow> {
  for (const run of [process, thread]) await timed(run, parameters, WARM_UP);
  const rounds: { readonly process: readonly number[]; readonly thread: readonly number[] }[] = [];
  while (rounds.length < ROUNDS) {
    rounds.push({ process: await timed(process, parameters, CALLS), thread: await timed(thread, parameters, CALLS) });
  }
  return {
    what,
    processP50Ms: medianOf(rounds, (round) => percentile(round.process, 0.5)),
    processP99Ms: medianOf(rounds, (round) => percentile(round.process, 0.99)),
    threadP50Ms: medianOf(rounds, (round) => percentile(round.thread, 0.5)),
    threadP99Ms: medianOf(rounds, (round) => percentile(round.thread, 0.99)),
    addedP50Ms: medianOf(rounds, (round) => percentile(round.process, 0.5) - percentile(round.thread, 0.5)),
  };
}

/** Milliseconds of each call, ascending. */
async function timed(run: Run, parameters: JsonObject, calls: number): Promise<number[]> {
  const times: number[] = [];
  while (times.length < calls) {
    const beganMs = performance.now();
    await run(parameters);
    times.push(performance.now() - beganMs);
  }
  return times.sort((one, other) => one - other);
}

function inProcess(adapter: BuiltinAdapter, toolId: string): Run {
  const { provider, binding } = toolOf(toolId);
  return async (parameters) => {
    const answer = await adapter.call({ toolId, provider, binding, parameters, deadlineMs: DEADLINE_MS });
    if (answer.kind !== 'answered') throw new Error(`${toolId} was not answered: ${JSON.stringify(answer)}`);
    return answer.data;
  };
}

/** The same text crosses, made and read on either side as the adapter does it. */
function inThread(thread: Worker, toolId: string): Run {
  const { binding } = toolOf(toolId);
  if (binding.kind !== 'builtin') throw new Error(`${toolId} is no built-in tool`);
  return async (parameters) => {
    const answered = once(thread, 'message') as Promise<[string]>;
    thread.postMessage({ kind: binding.operation, task: JSON.stringify(parameters) });
    const [answer] = await answered;
    return JSON.parse(answer) as unknown;
  };
}

function toolOf(toolId: string) {
  const tool = builtinTools.find((candidate) => candidate.toolId === toolId);
  const provider = builtinProviders.find(({ providerId }) => providerId === tool?.providerId);
  if (tool === undefined || provider === undefined) throw new Error(`there is no built-in tool ${toolId}`);
  return { provider, binding: tool.binding };
}
