import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import type { FromRunner, RunnerSettings, RunnerUsage, ToRunner } from './messages.js';
import { cpuUsOf, residentBytesOf } from './process-usage.js';

/** Always the built file, also when this module runs from its source: a process of its own runs plain JavaScript. */
const runnerFile = new URL('../../dist/runners/runner-main.js', import.meta.url);

/** Megabytes of each half in which short-lived objects are made; with more, an idle runner keeps more. */
const MAX_SEMI_SPACE_MB = 4;
/** The service comes first where there is too little CPU for all: it answers everybody, a runner one caller. */
const NICENESS = 2;
/** Exit code of an abort where a shell or Windows stands between. */
const EXIT_ABORTED = 134;
/** Milliseconds that starting or loading may take on a machine that is busy; beyond it something hangs. */
const LOAD_TIMEOUT_MS = 60_000;

export interface RunnerOptions {
  /** File URL of a built module that exports `openTasks`. */
  readonly tasksUrl: string;
  readonly settings: object;
  /** Megabytes of JavaScript heap that lives longer. */
  readonly maxHeapMb: number;
}

/**
 * Why a runner is gone. `memory`, `time`, `given_up`: it was ended for that, or V8 gave up; `itself`: it exited or crashed;
 * `service`: it did not start or load, or somebody else ended it.
 */
export type EndedBy = 'memory' | 'time' | 'given_up' | 'itself' | 'service';

/** Rejects what a runner was asked for when it ends instead. */
export class RunnerEnded extends Error {
  constructor(
    readonly by: EndedBy,
    detail: string,
  ) {
    super(`The runner process ended: ${detail}`);
    this.name = 'RunnerEnded';
  }
}

/** The task failed in the runner, which lives on. The message is for the operator. */
export class RunnerFailed extends Error {}

export interface RunnerAnswer {
  readonly answer: string;
  /** Microseconds of CPU for this task. */
  readonly cpuUs: number;
}

interface Asked {
  resolve(message: FromRunner): void;
  reject(error: Error): void;
}

/** One process; whoever has it asks for one thing at a time. */
export class Runner {
  /** Kinds of tasks that are loaded, with the milliseconds that each may take. */
  private readonly kinds = new Map<string, number | undefined>();
  /** Bytes of resident memory when it could first be asked. */
  startBytes = 0;
  private asked: Asked | undefined;
  private endedWith: RunnerEnded | undefined;
  private used: RunnerUsage = { cpuUs: 0, residentBytes: 0 };

  private constructor(
    private readonly child: ChildProcess,
    private readonly onEnd: (runner: Runner) => void,
  ) {
    child.on('message', (message) => this.hear(message as FromRunner));
    child.on('exit', (code, signal) => this.end(endOf(code, signal)));
    child.on('error', (error) => this.end(new RunnerEnded('service', error.message)));
    // A runner alone does not keep the service alive.
    child.unref();
    child.channel?.unref();
  }

  /** Starts a process and waits until it can be asked. `onEnd` hears of its end once, also when that comes first. */
  static async start(options: RunnerOptions, onEnd: (runner: Runner) => void): Promise<Runner> {
    const { tasksUrl, settings, maxHeapMb } = options;
    const given: RunnerSettings = { tasksUrl, settings, serviceId: process.pid };
    const child = fork(runnerFile, [JSON.stringify(given)], {
      // No secret of the service; and answers depend on what is asked alone, wherever the machine stands.
      env: { TZ: 'UTC' },
      execArgv: [`--max-old-space-size=${maxHeapMb}`, `--max-semi-space-size=${MAX_SEMI_SPACE_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const runner = new Runner(child, onEnd);
    yieldToService(child.pid);
    await runner.within(LOAD_TIMEOUT_MS, runner.next());
    runner.startBytes = runner.measure();
    return runner;
  }

  get alive(): boolean {
    return this.endedWith === undefined;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Bytes, as they were seen last. */
  get residentBytes(): number {
    return this.used.residentBytes;
  }

  /** Bytes, as they are now; as they were seen last where the machine does not tell. */
  measure(): number {
    const residentBytes = residentBytesOf(this.pid);
    if (residentBytes !== undefined) this.used = { ...this.used, residentBytes };
    return this.used.residentBytes;
  }

  /** Microseconds of CPU since the last task was answered; undefined where the machine does not tell. */
  get cpuUsOfTask(): number | undefined {
    const now = cpuUsOf(this.pid);
    return now === undefined ? undefined : Math.max(0, now - this.used.cpuUs);
  }

  isPrepared(kind: string): boolean {
    return this.kinds.has(kind);
  }

  /** Milliseconds that a task of this kind may take. */
  limitMsOf(kind: string): number | undefined {
    return this.kinds.get(kind);
  }

  /** Loads what a kind of task needs. Rejects with `RunnerFailed` or `RunnerEnded`. */
  async prepare(kind: string): Promise<void> {
    const message = await this.within(LOAD_TIMEOUT_MS, this.ask({ do: 'prepare', kind }));
    if (message.said !== 'prepared') throw new RunnerFailed(`said ${message.said} instead of having loaded`);
    this.used = message;
    this.kinds.set(kind, message.limitMs);
  }

  /** Rejects with `RunnerFailed` or `RunnerEnded`. */
  async run(kind: string, task: string): Promise<RunnerAnswer> {
    const before = this.used.cpuUs;
    const message = await this.ask({ do: 'run', kind, task });
    if (message.said !== 'answered') throw new RunnerFailed(`said ${message.said} instead of an answer`);
    this.used = message;
    return { answer: message.answer, cpuUs: message.cpuUs - before };
  }

  /** Ends the process for good, whatever it does. */
  kill(by: EndedBy): void {
    this.child.kill('SIGKILL');
    this.end(new RunnerEnded(by, `it was ended (${by})`));
  }

  private ask(message: ToRunner): Promise<FromRunner> {
    const answer = this.next();
    // A runner that is gone tells by its exit event.
    if (this.alive) this.child.send(message, () => undefined);
    return answer;
  }

  private next(): Promise<FromRunner> {
    if (this.endedWith !== undefined) return Promise.reject(this.endedWith);
    return new Promise((resolve, reject) => {
      this.asked = { resolve, reject };
    });
  }

  private async within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.kill('service'), timeoutMs);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  private hear(message: FromRunner): void {
    const { asked } = this;
    this.asked = undefined;
    if (message.said === 'failed') asked?.reject(new RunnerFailed(message.detail));
    else asked?.resolve(message);
  }

  private end(error: RunnerEnded): void {
    if (this.endedWith !== undefined) return;
    this.endedWith = error;
    this.asked?.reject(error);
    this.asked = undefined;
    this.onEnd(this);
  }
}

/** V8 aborts the process when it cannot have the memory that it needs. */
const outOfMemorySignals = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL']);
const outsideSignals = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

function endOf(code: number | null, signal: NodeJS.Signals | null): RunnerEnded {
  if (signal === null) return new RunnerEnded(code === EXIT_ABORTED ? 'memory' : 'itself', `code ${code}`);
  if (outOfMemorySignals.has(signal)) return new RunnerEnded('memory', signal);
  return new RunnerEnded(outsideSignals.has(signal) ? 'service' : 'itself', signal);
}

function yieldToService(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, NICENESS);
  } catch {
    // Not every place lets a process do this.
  }
}
