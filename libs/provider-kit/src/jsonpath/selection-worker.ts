import { Worker } from 'node:worker_threads';
import { loadSchemaChecks, type SelectAnswer, type SelectTask } from './selection.js';

/** Always the built file: a worker thread runs plain JavaScript. */
const workerFile = new URL('../../dist/jsonpath/worker.js', import.meta.url);
/** Megabytes of JavaScript heap of a thread. */
const THREAD_HEAP_MB = 128;
/** Milliseconds that a new thread may take to load; apart from the time of its first task. */
const START_TIMEOUT_MS = 10_000;

/** One thread that evaluates JSONPath. After a failure it is gone. */
export class SelectionWorker {
  /** What checks against schemas has been loaded. */
  private checksSchemas = false;

  private constructor(private readonly thread: Worker) {}

  static async start(): Promise<SelectionWorker> {
    const thread = new Worker(workerFile, {
      env: {},
      argv: [],
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
    // A thread alone does not keep the service alive, and its death between two tasks is found by the next.
    thread.unref();
    thread.on('error', () => undefined);
    const worker = new SelectionWorker(thread);
    await worker.next(START_TIMEOUT_MS);
    return worker;
  }

  /** Rejects when the time is up or the thread dies. */
  async run(task: SelectTask, timeoutMs: number): Promise<SelectAnswer> {
    if (task.schema !== undefined && !this.checksSchemas) {
      // Loading is not the task's fault, and takes long on a busy machine.
      this.thread.postMessage(loadSchemaChecks);
      await this.next(START_TIMEOUT_MS);
      this.checksSchemas = true;
    }
    this.thread.postMessage(task);
    return (await this.next(timeoutMs)) as SelectAnswer;
  }

  end(): Promise<unknown> {
    return this.thread.terminate();
  }

  private next(timeoutMs: number): Promise<unknown> {
    const { thread } = this;
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        thread.off('message', onMessage).off('exit', onExit);
        act();
      };
      const fail = (why: string): void =>
        settle(() => {
          void this.end();
          reject(new Error(`the JSONPath thread ${why}`));
        });
      const onMessage = (message: unknown): void => settle(() => resolve(message));
      const onExit = (): void => fail('ended');
      const timer = setTimeout(() => fail('took too long'), timeoutMs);
      thread.on('message', onMessage).on('exit', onExit);
    });
  }
}
