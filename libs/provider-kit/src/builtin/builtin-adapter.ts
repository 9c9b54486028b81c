import { EventEmitter } from 'node:events';
import { types } from 'node:util';
import { failure, type ProviderAdapter, type ProviderAnswer, type ProviderRequest } from '../provider-adapter.js';
import { explainWorkerError, toAnswer } from './answers.js';
import type { Lane, LaneOptions } from './lane.js';
import { ProcessLane } from './process-lane.js';
import { ThreadLane } from './thread-lane.js';
import { isRefusal, type WorkerAnswer } from './worker-protocol.js';

export interface BuiltinAdapterOptions {
  /** File URL of the built module with the operations (`builtinOperationsUrl` of builtin-tools). */
  readonly operationsUrl: string;
  /** Worker threads; one stays, the others end when idle. Default 2. */
  readonly maxThreads?: number;
  /** Processes for operations that must not share the service's; none is there until it is needed. Default 2. */
  readonly maxProcesses?: number;
  /** Calls that may wait for a thread, and as many for a process; above it a call is refused at once. Default 1,000. */
  readonly maxQueue?: number;
  /** Megabytes of JavaScript heap of a thread. Default 256. */
  readonly maxHeapMb?: number;
  /** UTF-8 bytes of a result as JSON. Default 8 MiB. */
  readonly maxResultBytes?: number;
  /** Milliseconds after which an idle process, or an idle thread above the first, ends. Default 30,000. */
  readonly idleMs?: number;
  /** Bugs in an operation and deaths of a runner, with stack, for the log. */
  readonly onUnexpected?: (toolId: string, detail: string) => void;
}

const defaults = {
  maxThreads: 2,
  maxProcesses: 2,
  maxQueue: 1_000,
  maxHeapMb: 256,
  maxResultBytes: 8 * 1_024 * 1_024,
  idleMs: 30_000,
} as const;

/**
 * Runs built-in tools in worker threads, and those that evaluate what a caller has programmed in processes; one call a
 * runner at a time. A call that passes its deadline takes its runner down with it, so an endless loop costs a thread
 * and never the service; so does one that exhausts its heap, or runs in a process for longer than its operation may.
 */
export class BuiltinAdapter implements ProviderAdapter {
  private readonly threads: Lane;
  private readonly processes: Lane;
  /** Learnt from the first call of each: the operations know, not the service. */
  private readonly isolatedOperations = new Set<string>();

  constructor(private readonly options: BuiltinAdapterOptions) {
    const { maxThreads, maxProcesses, ...shared } = { ...defaults, ...options };
    const lane = (maxRunners: number): LaneOptions => ({ ...shared, maxRunners });
    this.threads = new ThreadLane(lane(maxThreads), (error) => this.report('-', error));
    this.processes = new ProcessLane(lane(maxProcesses));
  }

  /** Loads the operations in the first thread. Throws when they cannot be loaded: a service must not start without. */
  async start(): Promise<void> {
    await this.threads.run({ operation: '', parameters: {} }, new EventEmitter());
  }

  async call(request: ProviderRequest): Promise<ProviderAnswer> {
    const { binding, deadlineMs, signal } = request;
    if (binding.kind !== 'builtin') throw new Error(`${request.toolId} is no built-in tool`);
    const { operation } = binding;
    if (signal?.aborted === true || deadlineMs <= 0) return waitedTooLong(deadlineMs);
    // A plain emitter is the cheaper half of an AbortController, and one is needed for every call.
    const abort = new EventEmitter();
    const giveUp = (): boolean => abort.emit('abort');
    const timer = setTimeout(giveUp, deadlineMs);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      const lane = this.isolatedOperations.has(operation) ? this.processes : this.threads;
      return await this.runIn(lane, operation, request, abort);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
  }

  private async runIn(
    lane: Lane,
    operation: string,
    request: ProviderRequest,
    abort: EventEmitter,
  ): Promise<ProviderAnswer> {
    const { toolId, parameters, deadlineMs } = request;
    if (lane.turns.full) return busy;
    const granted = lane.turns.tryTake() || (await lane.turns.wait((giveUp) => abort.once('abort', giveUp)));
    if (!granted) return waitedTooLong(deadlineMs);

    let answer: WorkerAnswer;
    try {
      answer = await lane.run({ operation, parameters }, abort);
    } catch (error) {
      if (types.isNativeError(error) && error.name === 'AbortError') return timedOut(deadlineMs);
      if (types.isNativeError(error) && error.name === 'TimeoutError') return ranTooLong;
      this.report(toolId, error);
      return explainWorkerError(error);
    } finally {
      lane.turns.release();
    }
    if (lane === this.threads && isRefusal(answer) && answer.reason === 'needs_isolation') {
      this.isolatedOperations.add(operation);
      return this.runIn(this.processes, operation, request, abort);
    }
    return toAnswer(answer, (detail) => this.report(toolId, detail));
  }

  /** Calls that run or wait. */
  get inFlight(): number {
    return this.threads.turns.inFlight + this.processes.turns.inFlight;
  }

  /** Stops all runners. Calls that run end as failed. */
  async close(): Promise<void> {
    await Promise.all([this.threads.close(), this.processes.close()]);
  }

  private report(toolId: string, error: unknown): void {
    const detail = types.isNativeError(error) ? (error.stack ?? error.message) : String(error);
    this.options.onUnexpected?.(toolId, detail);
  }
}

const busy = failure('execution_failed', 'The tool runners are busy. Retry in a few seconds.', { retryable: true });

const waitedTooLong = (deadlineMs: number): ProviderAnswer =>
  failure('timeout', `The tool runners were busy for ${deadlineMs} ms. Retry later.`, { retryable: true });

const ranTooLong = failure('timeout', 'The program ran for longer than the tool allows. Let it do less.', {
  retryable: false,
});

// The tools are pure: what ran out of time once will do so again.
const timedOut = (deadlineMs: number): ProviderAnswer =>
  failure('timeout', `The tool did not answer within ${deadlineMs} ms.`, { retryable: false });
