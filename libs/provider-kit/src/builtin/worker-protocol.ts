import type { ResourceLimits } from 'node:worker_threads';
import type { JsonObject } from '@capability-router/kernel';

/** Given to each worker thread once. */
export interface WorkerSettings {
  /**
   * File URL of a module that exports `operations: ReadonlyMap<string, (parameters) => JSON>` and may export
   * `isolatedOperations: ReadonlyMap<string, number>`, those that must not run inside the service's own process, with
   * the milliseconds that each may take once its runner has started.
   */
  readonly operationsUrl: string;
  readonly maxResultBytes: number;
  /** Does the thread live in a process of its own? */
  readonly isolated: boolean;
}

export interface WorkerTask {
  readonly operation: string;
  readonly parameters: JsonObject;
}

export interface WorkerRefusal {
  /** `unexpected` is a bug in the operation; its message is for the operator's log, never for the caller. */
  readonly reason: 'input' | 'unexpected' | 'unknown_operation' | 'needs_isolation' | 'too_large';
  readonly message: string;
}

/** What a thread says before it runs an operation that has a limit of its own: once it runs, the thread may hear nothing. */
export interface OperationBegins {
  readonly limitMs: number;
}

export const isBeginning = (message: OperationBegins | WorkerAnswer): message is OperationBegins =>
  'limitMs' in message;

/** The result as JSON text, which crosses threads in one copy and is never cloned member by member. */
export type WorkerAnswer = readonly [json: string, sizeBytes: number] | WorkerRefusal;

export const isRefusal = (answer: WorkerAnswer): answer is WorkerRefusal => !Array.isArray(answer);

/** Megabytes. Short-lived objects; big enough that a result is not promoted at once. */
const MAX_YOUNG_GENERATION_MB = 32;
/** Megabytes. Deep recursion ends as a `RangeError` in the operation. */
const STACK_MB = 4;

export const resourceLimits = (maxHeapMb: number): ResourceLimits => ({
  maxOldGenerationSizeMb: maxHeapMb,
  maxYoungGenerationSizeMb: MAX_YOUNG_GENERATION_MB,
  stackSizeMb: STACK_MB,
});

/** Operations see no environment, so no secret of the service, and none of its command line options. */
export const bareSurroundings = { env: {}, argv: [], execArgv: [] };

/** The code that Node gives the death of a thread at its heap limit; used for the death of a process, too. */
export const OUT_OF_MEMORY_CODE = 'ERR_WORKER_OUT_OF_MEMORY';
