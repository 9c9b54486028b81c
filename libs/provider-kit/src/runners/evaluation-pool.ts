import { readDocument, withDocument } from './document-message.js';
import type { TaskOutcome } from './pool-task.js';
import { RunnerPool } from './runner-pool.js';

export interface EvaluationPoolOptions {
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

/** The module of the processes is given these. */
export interface EvaluationSettings {
  /** Milliseconds that all of a task may take. */
  readonly timeoutMs: number;
}

/** The reason why there is no answer: `limits`, the task needs more than it may have; `busy`, this server could not run it now. */
export type Unselected = 'limits' | 'busy';

const defaults = { maxProcesses: 2, maxQueue: 200, maxWaitMs: 1_000, timeoutMs: 500 } as const;

/** Milliseconds after which an idle process ends. */
const IDLE_MS = 60_000;
/** Milliseconds that starting a process may take more: neither the task's fault nor in its time. */
const START_MS = 10_000;
/** Megabytes of JavaScript heap of a process. */
const HEAP_MB = 128;
const MAX_RESIDENT_BYTES = 320 * 1_048_576;

/** A task or its answer: what is asked or said of a document, and the document as JSON. */
export interface WithDocument<Head> {
  readonly head: Head;
  readonly document: string;
}

/**
 * Evaluates expressions over documents in processes of their own, under limits of time, memory and count: an expression can take
 * for ever, or make V8 abort. Those who wait take turns by holder. No process runs before the first task.
 */
export class EvaluationPool {
  private readonly pool: RunnerPool;
  private readonly options: Required<Omit<EvaluationPoolOptions, 'onFault'>>;

  /** `tasksUrl`: file URL of the built module that evaluates; a task and its answer are `withDocument`. */
  constructor(tasksUrl: string, options: EvaluationPoolOptions) {
    this.options = { ...defaults, ...options };
    const { maxProcesses, maxQueue, timeoutMs } = this.options;
    this.pool = new RunnerPool({
      tasksUrl,
      settings: { timeoutMs } satisfies EvaluationSettings,
      maxRunners: maxProcesses,
      maxQueue,
      maxHeapMb: HEAP_MB,
      maxResidentBytes: MAX_RESIDENT_BYTES,
      minIdle: 0,
      idleMs: IDLE_MS,
      onFault: (_kind, error) => options.onFault?.(error),
    });
  }

  async run<Answer>(
    kind: string,
    { head, document }: WithDocument<object>,
    holder: string,
  ): Promise<WithDocument<Answer> | Unselected> {
    const { maxWaitMs, timeoutMs } = this.options;
    const outcome = await this.pool.run({
      holder,
      kind,
      task: withDocument(head, document),
      maxWaitMs,
      deadlineMs: maxWaitMs + START_MS + timeoutMs,
    });
    if (outcome.kind !== 'answered') return isOurs(outcome) ? 'busy' : 'limits';
    return readDocument<Answer>(outcome.answer);
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
