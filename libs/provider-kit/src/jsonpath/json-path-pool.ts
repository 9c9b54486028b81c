import { Turns } from '../flow/turns.js';
import { SelectionWorker } from './selection-worker.js';
import type { JsonPathSelection, SelectAnswer, SelectTask } from './selection.js';

export interface JsonPathPoolOptions {
  /** Worker threads. Default 2. */
  readonly maxThreads?: number;
  /** Tasks that may wait for a thread; above it one is refused at once. Default 200. */
  readonly maxQueue?: number;
  /** Milliseconds that a task may wait for a thread. Default 1,000. */
  readonly maxWaitMs?: number;
  /** Milliseconds that all expressions of a task may take together. Default 500. */
  readonly timeoutMs?: number;
}

const defaults = { maxThreads: 2, maxQueue: 200, maxWaitMs: 1_000, timeoutMs: 500 } as const;

/** Milliseconds after which an idle thread ends. */
const IDLE_MS = 60_000;

interface Idle {
  readonly worker: SelectionWorker;
  readonly timer: NodeJS.Timeout;
}

/**
 * Evaluates JSONPath in worker threads under limits of time, heap and count: a filter with a bad regex or a nested query
 * can take for ever. A slow one costs its own thread; other tasks go on in the other threads, and wait for a bounded time.
 */
export class JsonPathPool {
  private readonly options: Required<JsonPathPoolOptions>;
  private readonly turns: Turns;
  private readonly idle: Idle[] = [];
  private readonly workers = new Set<SelectionWorker>();
  private closed = false;

  constructor(options: JsonPathPoolOptions = {}) {
    this.options = { ...defaults, ...options };
    this.turns = new Turns(this.options.maxThreads, this.options.maxQueue);
  }

  /** The selected values by name, as JSON; undefined where they could not be had within the limits. */
  async select(data: string, selections: readonly JsonPathSelection[]): Promise<string | undefined> {
    return (await this.run({ data, selections }))?.json;
  }

  /** Also checks the data against a schema. Undefined where the task could not be done within the limits. */
  async run(task: SelectTask): Promise<Extract<SelectAnswer, { json: string }> | undefined> {
    if (!(await this.takeTurn())) return undefined;
    try {
      const worker = this.takeIdle() ?? (await this.start());
      const answer = await worker.run(task, this.options.timeoutMs).catch((error: unknown) => {
        this.workers.delete(worker);
        throw error;
      });
      this.park(worker);
      return 'json' in answer ? answer : undefined;
    } catch {
      return undefined;
    } finally {
      this.turns.release();
    }
  }

  /** Tasks that run or wait. */
  get inFlight(): number {
    return this.turns.inFlight;
  }

  /** Ends all threads; tasks under way are not had. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.workers].map((worker) => worker.end()));
    this.workers.clear();
  }

  private async takeTurn(): Promise<boolean> {
    if (this.turns.tryTake()) return true;
    if (this.turns.full) return false;
    let timer: NodeJS.Timeout | undefined;
    const granted = await this.turns.wait((giveUp) => (timer = setTimeout(giveUp, this.options.maxWaitMs)));
    clearTimeout(timer);
    return granted;
  }

  private async start(): Promise<SelectionWorker> {
    const worker = await SelectionWorker.start();
    if (this.closed) {
      await worker.end();
      throw new Error('the pool is closed');
    }
    this.workers.add(worker);
    return worker;
  }

  private takeIdle(): SelectionWorker | undefined {
    const waiting = this.idle.pop();
    clearTimeout(waiting?.timer);
    return waiting?.worker;
  }

  private park(worker: SelectionWorker): void {
    const timer = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex((waiting) => waiting.worker === worker),
        1,
      );
      this.workers.delete(worker);
      void worker.end();
    }, IDLE_MS).unref();
    this.idle.push({ worker, timer });
  }
}
