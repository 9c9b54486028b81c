import type { EventEmitter } from 'node:events';
import { Piscina } from 'piscina';
import type { Lane, LaneOptions } from './lane.js';
import { Turns } from '../flow/turns.js';
import {
  bareSurroundings,
  resourceLimits,
  type WorkerAnswer,
  type WorkerSettings,
  type WorkerTask,
} from './worker-protocol.js';

/** Always the built file, also when this module runs from its source: a worker thread runs plain JavaScript. */
const workerFile = new URL('../../dist/builtin/worker.js', import.meta.url).href;

/** Worker threads, one call a thread at a time. The first thread stays; the others end when idle. */
export class ThreadLane implements Lane {
  readonly turns: Turns;
  private readonly pool: Piscina<WorkerTask, WorkerAnswer>;

  /** `onDeath` hears of a thread that dies without a call: nobody else would. */
  constructor({ operationsUrl, maxResultBytes, ...options }: LaneOptions, onDeath: (error: unknown) => void) {
    this.turns = new Turns(options.maxRunners, options.maxQueue);
    const settings: WorkerSettings = { operationsUrl, maxResultBytes, isolated: false };
    this.pool = new Piscina<WorkerTask, WorkerAnswer>({
      ...bareSurroundings,
      filename: workerFile,
      workerData: settings,
      minThreads: 1,
      maxThreads: options.maxRunners,
      concurrentTasksPerWorker: 1,
      idleTimeout: options.idleMs,
      // A thread without work sleeps on a shared flag: no event loop turn, no message handling between two calls.
      atomics: 'sync',
      recordTiming: false,
      resourceLimits: resourceLimits(options.maxHeapMb),
    });
    this.pool.on('error', onDeath);
  }

  run(task: WorkerTask, abort: EventEmitter): Promise<WorkerAnswer> {
    return this.pool.run(task, { signal: abort });
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}
