import type { TaskOutcome } from '../runners/pool-task.js';
import { RunnerPool } from '../runners/runner-pool.js';
import {
  readDocument,
  SCHEMA_KIND,
  SELECT_KIND,
  type JsonPathSelection,
  type SelectAnswer,
  type SelectionSettings,
  type SelectTask,
  withDocument,
} from './selection.js';

export interface JsonPathPoolOptions {
  /** Processes; one holder has all but one of them at most. Default 2. */
  readonly maxProcesses?: number;
  /** Tasks that may wait for a process; above it one is refused at once. Default 200. */
  readonly maxQueue?: number;
  /** Milliseconds that a task may wait for its turn. Default 1,000. */
  readonly maxWaitMs?: number;
  /** Milliseconds that all expressions of a task may take together. Default 500. */
  readonly timeoutMs?: number;
  /** Faults of ours, for the log. */
  readonly onFault?: (error: unknown) => void;
}

/** The reason why there is no answer: `limits`, the task needs more than it may have; `busy`, this server could not run it now. */
export type Unselected = 'limits' | 'busy';

export type Selected = Extract<SelectAnswer, { json: string }>;

const defaults = { maxProcesses: 2, maxQueue: 200, maxWaitMs: 1_000, timeoutMs: 500 } as const;

/** Milliseconds after which an idle process ends. */
const IDLE_MS = 60_000;
/** Milliseconds that starting a process may take more: neither the task's fault nor in its time. */
const START_MS = 10_000;
/** Megabytes of JavaScript heap of a process. */
const HEAP_MB = 128;
const MAX_RESIDENT_BYTES = 320 * 1_048_576;

const tasksUrl = new URL('../../dist/jsonpath/selection-tasks.js', import.meta.url).href;

/**
 * Evaluates JSONPath and schemas in processes of their own, under limits of time, memory and count: a filter with a bad
 * pattern can take for ever, or make V8 abort. Those who wait take turns by holder.
 */
export class JsonPathPool {
  private readonly pool: RunnerPool;
  private readonly options: Required<Omit<JsonPathPoolOptions, 'onFault'>>;

  constructor(options: JsonPathPoolOptions = {}) {
    this.options = { ...defaults, ...options };
    const { maxProcesses, maxQueue, timeoutMs } = this.options;
    this.pool = new RunnerPool({
      tasksUrl,
      settings: { timeoutMs } satisfies SelectionSettings,
      maxRunners: maxProcesses,
      maxQueue,
      maxHeapMb: HEAP_MB,
      maxResidentBytes: MAX_RESIDENT_BYTES,
      minIdle: 0,
      idleMs: IDLE_MS,
      onFault: (_kind, error) => options.onFault?.(error),
    });
  }

  /** The selected values by name, as JSON; undefined where they could not be had within the limits. */
  async select(data: string, selections: readonly JsonPathSelection[], holder: string): Promise<string | undefined> {
    const found = await this.run({ data, selections }, holder);
    return typeof found === 'string' ? undefined : found.json;
  }

  /** Selects, and also checks the data against a schema. */
  async run(task: SelectTask, holder: string): Promise<Selected | Unselected> {
    const { maxWaitMs, timeoutMs } = this.options;
    const { data, ...head } = task;
    const outcome = await this.pool.run({
      holder,
      kind: task.schema === undefined ? SELECT_KIND : SCHEMA_KIND,
      task: withDocument(head, data),
      maxWaitMs,
      deadlineMs: maxWaitMs + START_MS + timeoutMs,
    });
    if (outcome.kind !== 'answered') return isOurs(outcome) ? 'busy' : 'limits';
    const answer = readDocument<{ readonly failed?: string; readonly misfit?: string }>(outcome.answer);
    return answer.head.failed === undefined ? { ...answer.head, json: answer.document } : 'limits';
  }

  /** Tasks that run or wait. */
  get inFlight(): number {
    return this.pool.inFlight;
  }

  /** Ends all processes; tasks under way are not had. */
  close(): Promise<void> {
    return this.pool.close();
  }
}

/** Says whether the same task would not meet this on a server that has time for it. */
function isOurs(outcome: Exclude<TaskOutcome, { kind: 'answered' }>): boolean {
  if (outcome.kind === 'ended') return outcome.by === 'starved' || outcome.by === 'cut' || outcome.by === 'service';
  return outcome.kind === 'not_begun';
}
