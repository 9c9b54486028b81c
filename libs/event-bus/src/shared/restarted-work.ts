import { backoffMs } from './backoff.js';
import { Idle } from './idle.js';
import { describeError } from './park.js';

/** Work that goes on until it is stopped: what fails is run again, after pauses that grow until there is progress. */
export abstract class RestartedWork {
  protected readonly idle: Idle;
  private running: Promise<void> | undefined;
  private failures = 0;

  /** `workName` stands before each trouble; `lastTrouble` is why it stands still before it has begun, if that is one. */
  constructor(
    private readonly workName: string,
    pollIntervalMs: number,
    private lastTrouble?: string,
  ) {
    this.idle = new Idle(pollIntervalMs);
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.idle.close();
    await this.running;
  }

  nudge(): void {
    this.idle.nudge();
  }

  /** Why it stands still, if it does. */
  trouble(): string | undefined {
    return this.lastTrouble;
  }

  /** Goes on until `idle` is closed, or returns to be run again. */
  protected abstract work(): Promise<void>;

  /** Is told of each failure, and of how many came in a row. */
  protected abstract warn(error: unknown, failures: number): void;

  /** To be called when the work does not stand still, although it may have nothing to do. */
  protected well(): void {
    this.lastTrouble = undefined;
  }

  /** To be called when the work has got further: the pauses after failures begin short again. */
  protected progress(): void {
    this.well();
    this.failures = 0;
  }

  private async run(): Promise<void> {
    while (!this.idle.closed) {
      try {
        await this.work();
      } catch (error) {
        this.failures += 1;
        this.lastTrouble = `${this.workName}: ${describeError(error)}`;
        this.warn(error, this.failures);
        await this.idle.pause(backoffMs(this.failures));
      }
    }
  }
}
