import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { FieldSelection } from './projection.js';

/** Milliseconds that all expressions of one call may take together, from the moment their turn comes. */
const PROJECTION_TIMEOUT_MS = 500;
/** Milliseconds a new worker may take to load. */
const WORKER_START_TIMEOUT_MS = 5_000;
/** Megabytes of the worker's heap. */
const WORKER_HEAP_MB = 128;
/** Values that all expressions may select together. */
const MAX_SELECTED_VALUES = 10_000;
/** Projections waiting for the worker; further ones fail at once. */
const MAX_WAITING = 100;

/** Plain JavaScript, so that it runs the same from sources and from a build. */
const workerSource = `
const { parentPort, workerData } = require('node:worker_threads');
const { compile } = require(workerData.library);
parentPort.on('message', ({ data, fields }) => {
  try {
    const root = JSON.parse(data);
    const selected = Object.create(null);
    let count = 0;
    for (const { expression, name, singular } of fields) {
      const values = [];
      for (const node of compile(expression).lazyQuery(root)) {
        if (++count > workerData.maxValues) throw new Error('too many values selected');
        values.push(node.value);
      }
      if (!singular) selected[name] = values;
      else if (values.length > 0) selected[name] = values[0];
    }
    parentPort.postMessage({ ok: true, json: JSON.stringify(selected) });
  } catch (error) {
    parentPort.postMessage({ ok: false, message: String(error && error.message) });
  }
});
parentPort.postMessage({ ready: true });
`;

type Answer = { ok: true; json: string } | { ok: false; message: string };

/**
 * Runs callers' JSONPath expressions in a worker thread under a time and memory limit: a filter with a bad regex or a
 * nested query can take for ever, and must not take the service with it. One worker, one projection at a time.
 */
export class FieldProjector {
  private worker: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** The selected values as serialised JSON, or undefined where they could not be had within the limits. */
  async project(serializedData: string, fields: readonly FieldSelection[]): Promise<string | undefined> {
    if (this.waiting >= MAX_WAITING) return undefined;
    this.waiting += 1;
    const turn = this.last.then(() => this.run(serializedData, fields));
    this.last = turn.catch(() => undefined);
    try {
      const answer = await turn;
      return answer.ok ? answer.json : undefined;
    } catch {
      return undefined;
    } finally {
      this.waiting -= 1;
    }
  }

  async stop(): Promise<void> {
    const worker = await this.worker?.catch(() => undefined);
    this.worker = undefined;
    await worker?.terminate();
  }

  private async run(data: string, fields: readonly FieldSelection[]): Promise<Answer> {
    this.worker ??= startWorker();
    try {
      const worker = await this.worker;
      worker.postMessage({ data, fields });
      return (await nextMessage(worker, PROJECTION_TIMEOUT_MS)) as Answer;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }
}

async function startWorker(): Promise<Worker> {
  const worker = new Worker(workerSource, {
    eval: true,
    workerData: { library: createRequire(import.meta.url).resolve('json-p3'), maxValues: MAX_SELECTED_VALUES },
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
  });
  worker.unref();
  // A failure between two projections must not end the process; the next projection finds the worker gone.
  worker.on('error', () => undefined);
  await nextMessage(worker, WORKER_START_TIMEOUT_MS);
  return worker;
}

function nextMessage(worker: Worker, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      worker.off('exit', onExit);
      act();
    };
    const onMessage = (message: unknown): void => settle(() => resolve(message));
    const onExit = (): void => settle(() => reject(new Error('the projection worker ended')));
    const timer = setTimeout(() => settle(() => reject(new Error('the projection took too long'))), timeoutMs);
    worker.on('message', onMessage);
    worker.on('exit', onExit);
  });
}
