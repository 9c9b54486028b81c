type Waiter = (granted: boolean) => void;

/** A number of turns, handed out strictly first come, first served. */
export class Turns {
  /** Insertion order is arrival order; giving up is a cheap removal. */
  private readonly waiters = new Set<Waiter>();
  private taken = 0;

  constructor(
    private readonly turns: number,
    private readonly maxWaiters: number,
  ) {}

  /** Calls that have a turn or wait for one. */
  get inFlight(): number {
    return this.taken + this.waiters.size;
  }

  /** Takes a turn if one is free. */
  tryTake(): boolean {
    if (this.taken >= this.turns) return false;
    this.taken += 1;
    return true;
  }

  get full(): boolean {
    return this.taken >= this.turns && this.waiters.size >= this.maxWaiters;
  }

  /** True with a turn; false when `onAbort` called back first. */
  wait(onAbort: (giveUp: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiters.add(resolve);
      onAbort(() => {
        if (this.waiters.delete(resolve)) resolve(false);
      });
    });
  }

  /** Gives a turn back: it goes to whoever has waited longest. */
  release(): void {
    for (const next of this.waiters) {
      this.waiters.delete(next);
      next(true);
      return;
    }
    this.taken -= 1;
  }
}
