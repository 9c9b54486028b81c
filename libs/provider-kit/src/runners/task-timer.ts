import type { Runner } from './runner.js';

/** A task that others keep from running is given so many times its limit by the clock. */
const MOST_TIMES = 3;
/** Milliseconds that are left at least when the rest of a limit is waited for. */
const LEAST_MS = 20;
const US_PER_MS = 1_000;

/**
 * The limit of a task counts the processor's time where the machine tells it: on a machine that is overloaded a small task
 * is slow by the clock, which is not its fault. The clock bounds it all the same.
 */
export class TaskTimer {
  private readonly begunMs = performance.now();
  private timer: NodeJS.Timeout | undefined;

  /** `limitMs`: infinity for a task that has no limit of its own. `onOver` is called once. */
  constructor(
    private readonly runner: Pick<Runner, 'cpuUsOfTask'>,
    private readonly limitMs: number,
    private readonly onOver: () => void,
  ) {
    if (Number.isFinite(limitMs)) this.wait(limitMs);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private wait(ms: number): void {
    this.timer = setTimeout(() => this.look(), ms);
  }

  private look(): void {
    const leftByClockMs = this.limitMs * MOST_TIMES - (performance.now() - this.begunMs);
    const cpuUs = this.runner.cpuUsOfTask;
    const leftMs = cpuUs === undefined ? 0 : Math.min(this.limitMs - cpuUs / US_PER_MS, leftByClockMs);
    // The time that is left is less than the clock can be trusted with.
    if (leftMs < LEAST_MS) this.onOver();
    else this.wait(leftMs);
  }
}
