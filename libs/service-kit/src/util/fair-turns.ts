import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which whatever else waits in the process has its turn. */
const TURN_MS = 4;

/** Takes turns with the other work of the process: a long task awaits `next` between two of its parts, each of which is short. */
export class FairTurns {
  private beganMs = performance.now();

  constructor(private readonly turnMs = TURN_MS) {}

  /** Resolves at once as long as the task has not worked for long, and else when everybody else had a turn. */
  async next(): Promise<void> {
    if (performance.now() - this.beganMs < this.turnMs) return;
    await setImmediate();
    this.beganMs = performance.now();
  }
}
