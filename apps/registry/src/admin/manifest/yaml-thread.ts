import { Worker } from 'node:worker_threads';
import { AppError } from '@capability-router/kernel';
import { parseYaml } from './parse-yaml.js';

/** Always the built file: a worker thread runs plain JavaScript. */
const workerFile = new URL('../../../dist/admin/manifest/yaml-worker.js', import.meta.url);
/** Characters that are parsed in a few milliseconds; a longer text goes to the thread. */
const MAX_INLINE_LENGTH = 16_384;
/** Milliseconds of one text. */
const TIMEOUT_MS = 15_000;
/** Megabytes of JavaScript heap: two megabytes of YAML take about a hundred. */
const THREAD_HEAP_MB = 512;
/** Megabytes. */
const THREAD_STACK_MB = 8;
/** Texts that wait for the one that is parsed. */
const MAX_WAITING = 8;
/** Milliseconds after which an idle thread ends. */
const IDLE_MS = 10_000;

export interface YamlTask {
  readonly text: string;
  /** Of the document, with what aliases repeat. */
  readonly maxValues: number;
}

export type ParsedYaml = { readonly document: unknown } | { readonly problem: string };

/**
 * Parses YAML in one thread of its own, a text at a time: it takes ten times as long as JSON, and requests of others do
 * not wait for it. The thread is started when it is needed, and ends with what takes too long or too much memory.
 */
export class YamlThread {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** Throws `service_unavailable` where too many wait. */
  async parse(task: YamlTask): Promise<ParsedYaml> {
    if (task.text.length <= MAX_INLINE_LENGTH) return parseYaml(task.text);
    if (this.waiting >= MAX_WAITING) {
      throw new AppError('service_unavailable', 'Other YAML is being read. Try again, or send JSON.');
    }
    this.waiting += 1;
    const mine = this.last.then(() => this.ask(task));
    this.last = mine.catch(() => undefined);
    return mine.finally(() => {
      this.waiting -= 1;
    });
  }

  private ask(task: YamlTask): Promise<ParsedYaml> {
    clearTimeout(this.idle);
    const worker = (this.worker ??= start());
    return new Promise((resolve) => {
      const done = (parsed: ParsedYaml, ends: boolean): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('error', onError);
        if (ends) this.end();
        else this.idle = setTimeout(() => this.end(), IDLE_MS).unref();
        resolve(parsed);
      };
      const timer = setTimeout(() => {
        done({ problem: `The YAML could not be read within ${TIMEOUT_MS} ms` }, true);
      }, TIMEOUT_MS);
      const onMessage = (parsed: ParsedYaml): void => done(parsed, false);
      const onError = (): void => done({ problem: 'The YAML takes too much memory to read' }, true);
      worker.once('message', onMessage);
      worker.once('error', onError);
      worker.postMessage(task);
    });
  }

  private end(): void {
    void this.worker?.terminate();
    this.worker = undefined;
  }
}

function start(): Worker {
  const worker = new Worker(workerFile, {
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB, stackSizeMb: THREAD_STACK_MB },
  });
  worker.unref();
  // Of a thread that nobody waits for.
  worker.on('error', () => undefined);
  return worker;
}

/** One for the process: what is parsed at a time is bounded. */
export const yamlThread = new YamlThread();
