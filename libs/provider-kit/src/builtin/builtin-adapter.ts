import { types } from 'node:util';
import type { ProviderAdapter, ProviderAnswer, ProviderRequest } from '../provider-adapter.js';
import type { TaskOutcome } from '../runners/pool-task.js';
import { RunnerPool } from '../runners/runner-pool.js';
import { toAnswer } from './answers.js';
import type { OperationsSettings } from './operation-answers.js';

export interface BuiltinAdapterOptions {
  /** File URL of the built module with the operations (`builtinOperationsUrl` of builtin-tools). */
  readonly operationsUrl: string;
  /** Processes that run operations at once; one account has all but one of them at most. Default 3. */
  readonly maxProcesses?: number;
  /** Calls that may wait for a process; above it one is refused at once. Default 1,000. */
  readonly maxQueue?: number;
  /** Megabytes of JavaScript heap of a process. Default 256. */
  readonly maxHeapMb?: number;
  /** Megabytes of resident memory of a process, above which it is ended. Default 512. */
  readonly maxResidentMb?: number;
  /** UTF-8 bytes of a result as JSON. Default 8 MiB. */
  readonly maxResultBytes?: number;
  /** Milliseconds after which an idle process above the first ends, and the first is started anew if it has grown. Default 15,000. */
  readonly idleMs?: number;
  /** Bugs in an operation and deaths of a process, with stack, for the log. */
  readonly onUnexpected?: (toolId: string, detail: string) => void;
  /** Hears what came of each call. */
  readonly observe?: ObserveRun;
}

/** `result`: `answered`, or the fault. For metrics. */
export type ObserveRun = (toolId: string, result: string, outcome: TaskOutcome) => void;

const MEBIBYTE = 1_048_576;

const defaults = {
  maxProcesses: 3,
  maxQueue: 1_000,
  maxHeapMb: 256,
  maxResidentMb: 512,
  maxResultBytes: 8 * MEBIBYTE,
  idleMs: 15_000,
} as const;

const tasksUrl = new URL('../../dist/builtin/operations-tasks.js', import.meta.url).href;

/**
 * Runs built-in tools in processes of their own: what a caller sends may end the process that reads it, and nothing else.
 * A call that passes its deadline or its tool's limit takes its process down with it. Those who wait take turns by account.
 */
export class BuiltinAdapter implements ProviderAdapter {
  private readonly pool: RunnerPool;

  constructor(private readonly options: BuiltinAdapterOptions) {
    const { operationsUrl, maxProcesses, maxQueue, maxHeapMb, maxResidentMb, maxResultBytes, idleMs } = {
      ...defaults,
      ...options,
    };
    this.pool = new RunnerPool({
      tasksUrl,
      settings: { operationsUrl, maxResultBytes } satisfies OperationsSettings,
      maxRunners: maxProcesses,
      maxQueue,
      maxHeapMb,
      maxResidentBytes: maxResidentMb * MEBIBYTE,
      minIdle: 1,
      idleMs,
      onFault: (operation, error) => this.report(operation, error),
    });
  }

  /** Starts the first process. Throws when the operations cannot be loaded: a service must not start without. */
  start(): Promise<void> {
    return this.pool.start();
  }

  async call(request: ProviderRequest): Promise<ProviderAnswer> {
    const { binding, toolId, parameters, accountId, deadlineMs, signal } = request;
    if (binding.kind !== 'builtin') throw new Error(`${toolId} is no built-in tool`);
    const outcome = await this.pool.run({
      holder: accountId ?? '',
      kind: binding.operation,
      task: JSON.stringify(parameters),
      deadlineMs,
      ...(signal === undefined ? {} : { signal }),
    });
    const answer = toAnswer(outcome, deadlineMs, (detail) => this.report(toolId, detail));
    this.options.observe?.(toolId, answer.kind === 'answered' ? 'answered' : answer.fault, outcome);
    return answer;
  }

  /** Calls that run or wait. */
  get inFlight(): number {
    return this.pool.inFlight;
  }

  /** Calls that wait. */
  get queued(): number {
    return this.pool.queued;
  }

  /** Ids of the processes. */
  get processIds(): readonly number[] {
    return this.pool.processIds;
  }

  /** Stops all processes. Calls that run end as failed. */
  close(): Promise<void> {
    return this.pool.close();
  }

  private report(toolId: string, error: unknown): void {
    const detail = types.isNativeError(error) ? (error.stack ?? error.message) : String(error);
    this.options.onUnexpected?.(toolId, detail);
  }
}
