import type { NotBegun } from './pool-task.js';
import type { Runner } from './runner.js';

/** A task that has its turn and no process yet. */
export interface WaitingTask {
  readonly kind: string;
  /** A process loads for it. */
  loads: boolean;
  take(runner: Runner | NotBegun): void;
}

/** The tasks that wait, in the order in which they came; no more than there are turns. */
export class WaitingTasks {
  private readonly tasks: WaitingTask[] = [];

  add(task: WaitingTask): void {
    this.tasks.push(task);
  }

  /** False where it has been given a process already. */
  remove(task: WaitingTask): boolean {
    const index = this.tasks.indexOf(task);
    if (index !== -1) this.tasks.splice(index, 1);
    return index !== -1;
  }

  /** The tasks for which no process loads. */
  get unserved(): readonly WaitingTask[] {
    return this.tasks.filter(({ loads }) => !loads);
  }

  /** Gives the process to the first that needs what it has loaded; false where there is none. */
  offer(runner: Runner): boolean {
    const task = this.tasks.find(({ kind }) => runner.isPrepared(kind));
    if (task === undefined) return false;
    this.remove(task);
    task.take(runner);
    return true;
  }

  /** No task that waits gets a process any more. */
  close(): void {
    for (const task of this.tasks.splice(0)) task.take('closed');
  }
}
