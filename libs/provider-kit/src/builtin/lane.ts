import type { EventEmitter } from 'node:events';
import type { Turns } from '../flow/turns.js';
import type { WorkerAnswer, WorkerTask } from './worker-protocol.js';

/** Where operations run: threads of this process, or processes of their own. */
export interface Lane {
  readonly turns: Turns;
  /**
   * Runs a task; the caller holds a turn. When `abort` emits `abort`, whatever runs it is ended and the promise rejects
   * with an `AbortError`. Rejects with a `TimeoutError` when the operation takes longer than it may, and when the runner
   * dies.
   */
  run(task: WorkerTask, abort: EventEmitter): Promise<WorkerAnswer>;
  close(): Promise<void>;
}

export interface LaneOptions {
  readonly operationsUrl: string;
  readonly maxRunners: number;
  readonly maxQueue: number;
  readonly maxHeapMb: number;
  readonly maxResultBytes: number;
  /** Milliseconds. */
  readonly idleMs: number;
}
