import type { JsonObject } from '@capability-router/kernel';

/** Given to each worker thread once. */
export interface WorkerSettings {
  /** File URL of a module that exports `operations: ReadonlyMap<string, (parameters) => JSON>`. */
  readonly operationsUrl: string;
  readonly maxResultBytes: number;
}

export interface WorkerTask {
  readonly operation: string;
  readonly parameters: JsonObject;
}

export interface WorkerRefusal {
  /** `unexpected` is a bug in the operation; its message is for the operator's log, never for the caller. */
  readonly reason: 'input' | 'unexpected' | 'unknown_operation' | 'too_large';
  readonly message: string;
}

/** The result as JSON text, which crosses threads in one copy and is never cloned member by member. */
export type WorkerAnswer = readonly [json: string, sizeBytes: number] | WorkerRefusal;
