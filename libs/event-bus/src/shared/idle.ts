const FIRST_LOOK_MS = 5;
const QUIET_AFTER_MS = 5_000;
const QUIET_FACTOR = 2.5;

/**
 * How long a reader with nothing to read waits: a few short looks right after activity or a nudge (what was committed
 * may still be behind an older open transaction), then the poll interval, and a longer one once it has been quiet.
 */
export class Idle {
  private nextMs: number;
  private waitedMs = 0;
  private wake: (() => void) | undefined;
  private nudged = false;
  private isClosed = false;

  constructor(private readonly pollIntervalMs: number) {
    this.nextMs = Math.min(FIRST_LOOK_MS, pollIntervalMs);
  }

  get closed(): boolean {
    return this.isClosed;
  }

  /** To be called when there was something to read: the waits begin short again. */
  active(): void {
    this.nextMs = Math.min(FIRST_LOOK_MS, this.pollIntervalMs);
    this.waitedMs = 0;
  }

  /** Ends the wait in progress, or the next one. */
  nudge(): void {
    this.nudged = true;
    this.wake?.();
  }

  /** Ends every wait, for good. */
  close(): void {
    this.isClosed = true;
    this.wake?.();
  }

  async wait(): Promise<void> {
    const ms = this.waitedMs > QUIET_AFTER_MS ? this.pollIntervalMs * QUIET_FACTOR : this.nextMs;
    this.nextMs = Math.min(this.pollIntervalMs, this.nextMs * 2);
    this.waitedMs += ms;
    await this.pause(ms, true);
  }

  /** Waits `ms`, or until closed; `wakeable`: or until nudged. */
  async pause(ms: number, wakeable = false): Promise<void> {
    if (!this.isClosed && !(wakeable && this.nudged)) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          if (!wakeable && !this.isClosed) return;
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    if (wakeable && this.nudged) {
      this.nudged = false;
      this.active();
    }
  }
}
