import { FairTurns, type Waited } from '../flow/fair-turns.js';
import { CallLimits } from './call-limits.js';
import { MemoryWatch } from './memory-watch.js';
import { TaskTimer } from './task-timer.js';
import { notBegun, taskEndedBy, type NotBegun, type PoolTask, type TaskOutcome, type TaskUsage } from './pool-task.js';
import { Runner, RunnerEnded, RunnerFailed, type EndedBy, type RunnerOptions } from './runner.js';
import { WaitingTasks, type WaitingTask } from './waiting-tasks.js';

export interface RunnerPoolOptions extends RunnerOptions {
  /** Tasks that run at once, each in a process of its own; one holder has all but one of them at most. */
  readonly maxRunners: number;
  /** Tasks that may wait. */
  readonly maxQueue: number;
  /** Bytes of resident memory above which a process is ended. */
  readonly maxResidentBytes: number;
  /** Processes that stay when nobody needs them. */
  readonly minIdle: 0 | 1;
  /** Milliseconds after which a process above those ends. */
  readonly idleMs: number;
  /** Faults of the service: what did not start or load, and processes that crashed. For the log. */
  readonly onFault: (kind: string, error: unknown) => void;
}

/** A process with more than this share of its memory is replaced, so that the next task does not pay for the last. */
const WORN_SHARE = 0.5;
/** Bytes by which a process may have grown since its start when nobody needs it. */
const MAX_KEPT_BYTES = 12 * 1_048_576;

interface Idle {
  readonly runner: Runner;
  readonly timer: NodeJS.Timeout;
}

/**
 * Runs tasks in processes that are kept warm, one task a process at a time, within limits of time and memory that no task
 * can influence: its process is killed, and another one is there by then. Starting and loading count against nobody.
 */
export class RunnerPool {
  private readonly turns: FairTurns;
  private readonly runners = new Set<Runner>();
  private readonly idle: Idle[] = [];
  private readonly waiting = new WaitingTasks();
  private readonly watch: MemoryWatch;
  private starting = 0;
  private closed = false;

  constructor(private readonly options: RunnerPoolOptions) {
    this.turns = new FairTurns(options.maxRunners, options.maxQueue);
    this.watch = new MemoryWatch(options.maxResidentBytes, () => this.keepSpare());
  }

  /** Tasks that run or wait. */
  get inFlight(): number {
    return this.turns.inFlight;
  }

  /** Tasks that wait. */
  get queued(): number {
    return this.turns.queued;
  }

  /** Process ids. */
  get processIds(): readonly number[] {
    return [...this.runners].map(({ pid }) => pid);
  }

  /** Starts the first process. Rejects where that cannot be done. */
  async start(): Promise<void> {
    this.park(await this.startRunner());
  }

  async run(task: PoolTask): Promise<TaskOutcome> {
    const limits = new CallLimits(task.deadlineMs, task.signal);
    try {
      if (this.closed) return notBegun('closed');
      if (limits.over) return notBegun('waited');
      if (!this.turns.tryTake(task.holder)) {
        const waited = await this.waitForTurn(task, limits);
        if (waited !== 'granted') return notBegun(waited === 'refused' ? 'busy' : 'waited');
      }
      return await this.runInTurn(task, limits);
    } finally {
      limits.clear();
    }
  }

  /** Ends all processes. Tasks that run or wait are not done. */
  close(): Promise<void> {
    this.closed = true;
    this.watch.stop();
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    for (const runner of this.runners) runner.kill('service');
    this.waiting.close();
    return Promise.resolve();
  }

  private async waitForTurn({ holder, maxWaitMs }: PoolTask, limits: CallLimits): Promise<Waited> {
    let timer: NodeJS.Timeout | undefined;
    const waited = await this.turns.wait(holder, (giveUp) => {
      limits.onOver(giveUp);
      if (maxWaitMs !== undefined) timer = setTimeout(giveUp, maxWaitMs);
    });
    clearTimeout(timer);
    return waited;
  }

  /** The turn is held for as long as a process is occupied, which may be longer than the call is waited for. */
  private async runInTurn(task: PoolTask, limits: CallLimits): Promise<TaskOutcome> {
    const prepared = this.prepared(task.kind);
    const runner = await Promise.race([prepared, limits.whenOver()]);
    if (runner === 'over') {
      // A process that has loaded by then serves the next call.
      void prepared.then((late) => {
        if (typeof late !== 'string') this.park(late);
        this.turns.release(task.holder);
      });
      return notBegun('waited');
    }
    try {
      if (typeof runner === 'string') return notBegun(this.closed ? 'closed' : runner);
      return await this.runOn(runner, task, limits);
    } finally {
      this.turns.release(task.holder);
    }
  }

  /**
   * A process that has loaded what the kind needs, or why there is none: one that is idle, else whichever is first, one that
   * another task leaves or one that loads it for this task. Never rejects.
   */
  private prepared(kind: string): Promise<Runner | NotBegun> {
    if (this.closed) return Promise.resolve('closed');
    const idle = this.takeIdle(kind);
    if (idle?.isPrepared(kind) === true) return Promise.resolve(idle);
    return new Promise((resolve) => {
      const waiting: WaitingTask = { kind, loads: false, take: resolve };
      this.waiting.add(waiting);
      if (idle === undefined) this.provide();
      else this.load(waiting, idle);
    });
  }

  /** Starts processes for those that wait while none loads for them: no more than tasks that run at once, and one. */
  private provide(): void {
    for (const waiting of this.waiting.unserved) {
      if (this.closed || this.runners.size + this.starting > this.options.maxRunners) return;
      this.load(waiting);
    }
  }

  /**
   * In `idle`, or in a process that is started. The task has it, however much memory loading took, unless another process
   * was there before; then whoever can use it first gets it.
   */
  private load(waiting: WaitingTask, idle?: Runner): void {
    waiting.loads = true;
    void this.loaded(waiting.kind, idle).then((runner) => {
      if (this.waiting.remove(waiting)) waiting.take(runner);
      else if (typeof runner !== 'string') this.park(runner);
      this.provide();
    });
  }

  /** `idle`, or a process that is started, with what the kind needs. Never rejects. */
  private async loaded(kind: string, idle: Runner | undefined): Promise<Runner | NotBegun> {
    let runner: Runner;
    try {
      runner = idle ?? (await this.startRunner());
    } catch (error) {
      this.fault(kind, error);
      return 'not_started';
    }
    try {
      await runner.prepare(kind);
      return runner;
    } catch (error) {
      this.fault(kind, error);
      if (runner.alive) this.park(runner);
      return 'not_loaded';
    }
  }

  private async runOn(runner: Runner, task: PoolTask, limits: CallLimits): Promise<TaskOutcome> {
    const limitMs = runner.limitMsOf(task.kind) ?? Number.POSITIVE_INFINITY;
    const watched = this.watch.add(runner);
    const begunMs = performance.now();
    let cpuUs: number | undefined;
    const end = (by: EndedBy) => (): void => {
      cpuUs = runner.cpuUsOfTask;
      runner.kill(by);
    };
    const timer = new TaskTimer(runner, limitMs, end('time'));
    limits.onOver(end('given_up'));
    const usage = (): TaskUsage => ({
      runMs: performance.now() - begunMs,
      cpuMs: cpuUs === undefined ? undefined : cpuUs / 1_000,
      residentBytes: watched.residentBytes,
    });
    try {
      const answered = await runner.run(task.kind, task.task);
      cpuUs = answered.cpuUs;
      return { kind: 'answered', answer: answered.answer, usage: usage() };
    } catch (error) {
      cpuUs ??= runner.cpuUsOfTask;
      if (error instanceof RunnerFailed) return { kind: 'threw', detail: error.message, usage: usage() };
      const by = this.closed || !(error instanceof RunnerEnded) ? 'service' : error.by;
      if (by === 'itself' || by === 'service') this.fault(task.kind, error);
      return { kind: 'ended', by: taskEndedBy(by, usage(), limitMs), usage: usage() };
    } finally {
      timer.stop();
      limits.onOver(undefined);
      watched.end();
      if (runner.alive) this.park(runner);
      else this.keepSpare();
    }
  }

  /** One that has loaded the kind before one that has not. */
  private takeIdle(kind: string): Runner | undefined {
    const prepared = this.idle.findLastIndex(({ runner }) => runner.isPrepared(kind));
    const [taken] = this.idle.splice(prepared === -1 ? this.idle.length - 1 : prepared, 1);
    clearTimeout(taken?.timer);
    return taken?.runner;
  }

  private async startRunner(): Promise<Runner> {
    this.starting += 1;
    try {
      const runner = await Runner.start(this.options, (ended) => this.forget(ended));
      if (this.closed) {
        runner.kill('service');
        throw new Error('the pool is closed');
      }
      this.runners.add(runner);
      return runner;
    } finally {
      this.starting -= 1;
    }
  }

  /** Gives the process to the first that waits for one like it, or keeps it for the next. */
  private park(runner: Runner): void {
    const { maxResidentBytes, idleMs } = this.options;
    if (this.closed || runner.residentBytes > maxResidentBytes * WORN_SHARE) {
      runner.kill('service');
      this.keepSpare();
      return;
    }
    if (this.waiting.offer(runner)) return;
    const [unserved] = this.waiting.unserved;
    if (unserved !== undefined) {
      this.load(unserved, runner);
      return;
    }
    const timer = setTimeout(() => this.retire(runner), idleMs).unref();
    this.idle.push({ runner, timer });
  }

  /** A process that nobody has needed for a while ends, but for the one that stays, unless it has grown. */
  private retire(runner: Runner): void {
    const grown = runner.measure() - runner.startBytes > MAX_KEPT_BYTES;
    if (!grown && this.runners.size <= this.options.minIdle) return;
    runner.kill('service');
    if (this.runners.size < this.options.minIdle) this.keepSpare();
  }

  private forget(runner: Runner): void {
    this.runners.delete(runner);
    this.provide();
    const index = this.idle.findIndex((waiting) => waiting.runner === runner);
    if (index === -1) return;
    for (const { timer } of this.idle.splice(index, 1)) clearTimeout(timer);
  }

  /** One process more than are occupied, so that nobody waits for a start when one of them has to be ended. */
  private keepSpare(): void {
    if (this.closed || this.idle.length > 0 || this.starting > 0) return;
    if (this.runners.size > this.options.maxRunners) return;
    this.startRunner().then(
      (runner) => this.park(runner),
      (error: unknown) => this.fault('-', error),
    );
  }

  private fault(kind: string, error: unknown): void {
    if (!this.closed) this.options.onFault(kind, error);
  }
}
