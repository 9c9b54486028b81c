import { AppError, packed, unpacked } from '@capability-router/kernel';
import type { TaskEndedBy } from '../runners/pool-task.js';
import { RunnerPool } from '../runners/runner-pool.js';

/** Milliseconds of one text. */
const TIMEOUT_MS = 15_000;
/** Milliseconds that a text may wait for its turn, and that starting a process may take more. */
const MAX_WAIT_MS = 60_000;
const START_MS = 10_000;
/** Megabytes of JavaScript heap: two megabytes of YAML take about a hundred. */
const HEAP_MB = 512;
const MAX_RESIDENT_BYTES = 768 * 1_048_576;
/** Texts that wait for the one that is parsed. */
const MAX_WAITING = 8;
/** Milliseconds after which an idle process ends. */
const IDLE_MS = 10_000;

export interface YamlTask {
  readonly text: string;
  /** Values of the document; those that an alias repeats count each time. */
  readonly maxValues: number;
}

export interface YamlSettings {
  /** Milliseconds of one text. */
  readonly timeoutMs: number;
}

export type ParsedYaml = { readonly document: unknown } | { readonly problem: string };

const tasksUrl = new URL('../../dist/documents/yaml-tasks.js', import.meta.url).href;

/**
 * Parses YAML in a process of its own, a text at a time: what makes a parser abort then ends that process, and requests of
 * others do not wait. The process is started when it is needed, and ends with what takes too long or too much memory.
 */
export class YamlPool {
  private readonly pool: RunnerPool;

  /** `onFault`: a process failed in a way that no text explains. */
  constructor(onFault: (err: unknown) => void) {
    this.pool = new RunnerPool({
      tasksUrl,
      settings: { timeoutMs: TIMEOUT_MS } satisfies YamlSettings,
      maxRunners: 1,
      maxQueue: MAX_WAITING,
      maxHeapMb: HEAP_MB,
      maxResidentBytes: MAX_RESIDENT_BYTES,
      minIdle: 0,
      idleMs: IDLE_MS,
      onFault: (_kind, err) => onFault(err),
    });
  }

  /** Throws `service_unavailable` where too many wait, or where the text was not read for a reason that is not its own. */
  async parse(task: YamlTask): Promise<ParsedYaml> {
    const outcome = await this.pool.run({
      holder: '',
      kind: 'parse',
      task: packed(task),
      maxWaitMs: MAX_WAIT_MS,
      deadlineMs: MAX_WAIT_MS + START_MS + TIMEOUT_MS,
    });
    switch (outcome.kind) {
      case 'answered':
        return unpacked<ParsedYaml>(outcome.answer);
      case 'ended':
        return { problem: problemOf(outcome.by) };
      case 'not_begun':
        throw unavailable();
      case 'threw':
        throw new Error(`YAML could not be parsed: ${outcome.detail}`);
    }
  }

  /** Ends the process; what is parsed or waits is not done. */
  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }
}

function problemOf(by: TaskEndedBy): string {
  switch (by) {
    case 'memory':
      return 'The YAML takes too much memory to read';
    case 'time':
      return `The YAML could not be read within ${TIMEOUT_MS} ms`;
    case 'itself':
      return 'The YAML cannot be read';
    case 'starved':
    case 'cut':
    case 'given_up':
    case 'service':
      throw unavailable();
  }
}

const unavailable = (): AppError =>
  new AppError('service_unavailable', 'Other YAML is being read. Try again, or send JSON.');
