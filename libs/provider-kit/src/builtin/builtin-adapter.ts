import { EventEmitter } from 'node:events';
import { types } from 'node:util';
import { Piscina } from 'piscina';
import { failure, type ProviderAdapter, type ProviderAnswer, type ProviderRequest } from '../provider-adapter.js';
import { explainWorkerError, toAnswer } from './answers.js';
import { Turns } from './turns.js';
import type { WorkerAnswer, WorkerSettings, WorkerTask } from './worker-protocol.js';

export interface BuiltinAdapterOptions {
  /** File URL of the built module with the operations (`builtinOperationsUrl` of builtin-tools). */
  readonly operationsUrl: string;
  /** Worker threads; one stays, the others end when idle. Default 2. */
  readonly maxThreads?: number;
  /** Calls that may wait for a thread; above it a call is refused at once. Default 1,000. */
  readonly maxQueue?: number;
  /** Megabytes of JavaScript heap of a worker thread. Default 256. */
  readonly maxHeapMb?: number;
  /** UTF-8 bytes of a result as JSON. Default 8 MiB. */
  readonly maxResultBytes?: number;
  /** Milliseconds after which an idle thread above the first ends. Default 30,000. */
  readonly idleThreadMs?: number;
  /** Bugs in an operation and deaths of a thread, with stack, for the log. */
  readonly onUnexpected?: (toolId: string, detail: string) => void;
}

const defaults = {
  maxThreads: 2,
  maxQueue: 1_000,
  maxHeapMb: 256,
  maxResultBytes: 8 * 1_024 * 1_024,
  idleThreadMs: 30_000,
} as const;

/** Megabytes. Short-lived objects; big enough that a result is not promoted at once. */
const MAX_YOUNG_GENERATION_MB = 32;
/** Megabytes. Deep recursion ends as a `RangeError` in the operation. */
const STACK_MB = 4;
/** Always the built file, also when this module runs from its source: a worker thread runs plain JavaScript. */
const workerFile = new URL('../../dist/builtin/worker.js', import.meta.url).href;

/**
 * Runs built-in tools in worker threads, one call a thread at a time. A call that passes its deadline takes its thread
 * down with it, so an endless loop costs a thread and never the service; so does one that exhausts its heap.
 */
export class BuiltinAdapter implements ProviderAdapter {
  private readonly pool: Piscina<WorkerTask, WorkerAnswer>;
  private readonly turns: Turns;

  constructor(private readonly options: BuiltinAdapterOptions) {
    const { maxThreads, maxQueue, maxHeapMb, maxResultBytes, idleThreadMs } = { ...defaults, ...options };
    this.turns = new Turns(maxThreads, maxQueue);
    const settings: WorkerSettings = { operationsUrl: options.operationsUrl, maxResultBytes };
    this.pool = new Piscina<WorkerTask, WorkerAnswer>({
      filename: workerFile,
      workerData: settings,
      minThreads: 1,
      maxThreads,
      concurrentTasksPerWorker: 1,
      idleTimeout: idleThreadMs,
      // A thread without work sleeps on a shared flag: no event loop turn, no message handling between two calls.
      atomics: 'sync',
      recordTiming: false,
      // Operations see no environment, so no secret of the service, and none of its command line options.
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMb,
        maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB,
        stackSizeMb: STACK_MB,
      },
    });
    // A thread that dies without a call has nobody to tell.
    this.pool.on('error', (error: unknown) => this.report('-', error));
  }

  /** Loads the operations in the first thread. Throws when they cannot be loaded: a service must not start without. */
  async start(): Promise<void> {
    await this.pool.run({ operation: '', parameters: {} });
  }

  async call(request: ProviderRequest): Promise<ProviderAnswer> {
    const { deadlineMs, signal } = request;
    if (signal?.aborted === true || deadlineMs <= 0) return waitedTooLong(deadlineMs);
    if (this.turns.full) return busy;

    // A plain emitter is the cheaper half of an AbortController, and one is needed for every call.
    const abort = new EventEmitter();
    const giveUp = (): boolean => abort.emit('abort');
    const timer = setTimeout(giveUp, deadlineMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      const granted = this.turns.tryTake() || (await this.turns.wait((callback) => abort.once('abort', callback)));
      return granted ? await this.run(request, abort) : waitedTooLong(deadlineMs);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  private async run(request: ProviderRequest, abort: EventEmitter): Promise<ProviderAnswer> {
    const { toolId, binding, parameters, deadlineMs } = request;
    try {
      const answer = await this.pool.run({ operation: binding.operation, parameters }, { signal: abort });
      return toAnswer(answer, (detail) => this.report(toolId, detail));
    } catch (error) {
      if (types.isNativeError(error) && error.name === 'AbortError') return timedOut(deadlineMs);
      this.report(toolId, error);
      return explainWorkerError(error);
    } finally {
      this.turns.release();
    }
  }

  /** Calls that run or wait, and threads that live. */
  load(): { readonly inFlight: number; readonly threads: number } {
    return { inFlight: this.turns.inFlight, threads: this.pool.threads.length };
  }

  /** Stops all threads. Calls that run end as failed. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private report(toolId: string, error: unknown): void {
    const detail = types.isNativeError(error) ? (error.stack ?? error.message) : String(error);
    this.options.onUnexpected?.(toolId, detail);
  }
}

const busy = failure('execution_failed', 'The tool runners are busy. Retry in a few seconds.', { retryable: true });

const waitedTooLong = (deadlineMs: number): ProviderAnswer =>
  failure('timeout', `The tool runners were busy for ${deadlineMs} ms. Retry later.`, { retryable: true });

// The tools are pure: what ran out of time once will do so again.
const timedOut = (deadlineMs: number): ProviderAnswer =>
  failure('timeout', `The tool did not answer within ${deadlineMs} ms.`, { retryable: false });
