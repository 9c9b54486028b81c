import { fork, type ChildProcess } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import type { Lane, LaneOptions } from './lane.js';
import { Turns } from '../flow/turns.js';
import { bareSurroundings, OUT_OF_MEMORY_CODE, type WorkerAnswer, type WorkerTask } from './worker-protocol.js';

const runnerFile = new URL('../../dist/builtin/runner-process.js', import.meta.url);

/** Exit code of a runner whose thread reached its heap limit. */
export const EXIT_OUT_OF_MEMORY = 70;
/** Exit code of a runner whose operation took longer than it may. */
export const EXIT_OUT_OF_TIME = 71;

/**
 * Processes of their own, one call a process at a time. V8 ends a whole process when a single allocation does not fit
 * its heap, whatever the limits of the thread: what a caller can program must be able to die alone.
 */
export class ProcessLane implements Lane {
  readonly turns: Turns;
  private readonly idle: { readonly child: ChildProcess; readonly timer: NodeJS.Timeout }[] = [];
  private readonly children = new Set<ChildProcess>();

  constructor(private readonly options: LaneOptions) {
    this.turns = new Turns(options.maxRunners, options.maxQueue);
  }

  run(task: WorkerTask, abort: EventEmitter): Promise<WorkerAnswer> {
    const child = this.take();
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        abort.off('abort', onAbort);
        finish();
      };
      const onMessage = (answer: unknown): void =>
        settle(() => {
          this.park(child);
          resolve(answer as WorkerAnswer);
        });
      const onExit = (code: number | null, signal: string | null): void => settle(() => reject(deathOf(code, signal)));
      const onError = (error: Error): void => settle(() => reject(error));
      const onAbort = (): void =>
        settle(() => {
          child.kill('SIGKILL');
          reject(Object.assign(new Error('The call was given up'), { name: 'AbortError' }));
        });
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      abort.once('abort', onAbort);
      // A runner that is gone tells by its exit event.
      child.send(task, () => undefined);
    });
  }

  /** Takes a runner that waits, or starts one. */
  private take(): ChildProcess {
    const waiting = this.idle.pop();
    if (waiting === undefined) return this.start();
    clearTimeout(waiting.timer);
    return waiting.child;
  }

  private start(): ChildProcess {
    const { operationsUrl, maxResultBytes, maxHeapMb } = this.options;
    const settings = JSON.stringify({ operationsUrl, maxResultBytes, maxHeapMb });
    const child = fork(runnerFile, [settings], {
      // Answers depend on the parameters alone, also where they tell the time of a day: wherever the machine stands.
      env: { ...bareSurroundings.env, TZ: 'UTC' },
      execArgv: bareSurroundings.execArgv,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.children.add(child);
    const forget = (): void => {
      this.children.delete(child);
      const index = this.idle.findIndex((waiting) => waiting.child === child);
      for (const { timer } of index === -1 ? [] : this.idle.splice(index, 1)) clearTimeout(timer);
    };
    child.on('exit', forget).on('error', forget);
    // A runner alone does not keep the service alive.
    child.unref();
    child.channel?.unref();
    return child;
  }

  private park(child: ChildProcess): void {
    const timer = setTimeout(() => child.kill('SIGKILL'), this.options.idleMs).unref();
    this.idle.push({ child, timer });
  }

  close(): Promise<void> {
    for (const child of this.children) child.kill('SIGKILL');
    return Promise.resolve();
  }
}

function deathOf(code: number | null, signal: string | null): Error {
  if (code === EXIT_OUT_OF_TIME)
    return Object.assign(new Error('The operation took too long'), { name: 'TimeoutError' });
  // V8 aborts when an allocation does not fit.
  const outOfMemory = code === EXIT_OUT_OF_MEMORY || signal === 'SIGABRT' || signal === 'SIGTRAP';
  const error = new Error(`The runner process ended with ${signal ?? `code ${code}`}`);
  return outOfMemory ? Object.assign(error, { code: OUT_OF_MEMORY_CODE }) : error;
}
