/** Waiting ends in one of these: a turn, the waiter gave up, or it made way for others in a queue that is full. */
export type Waited = 'granted' | 'given_up' | 'refused';

interface Waiter {
  settle(waited: Waited): void;
}

interface Holder {
  /** Turns that it has. */
  taken: number;
  /** In order of arrival. */
  readonly waiting: Set<Waiter>;
}

/**
 * A number of turns that holders (accounts) share. Those who wait take turns by holder, whatever number of calls each has;
 * one holder never has all turns while there is more than one, so that another one's call need not wait for its calls to
 * end. Where the queue is full, the newest call of whoever has most waiting makes way.
 */
export class FairTurns {
  /** The order of those that wait is the order in which they are served. */
  private readonly holders = new Map<string, Holder>();
  private taken = 0;
  private waiting = 0;
  private readonly share: number;

  constructor(
    private readonly turns: number,
    private readonly maxWaiting: number,
  ) {
    this.share = Math.max(1, turns - 1);
  }

  /** Calls that have a turn or wait for one. */
  get inFlight(): number {
    return this.taken + this.waiting;
  }

  get queued(): number {
    return this.waiting;
  }

  /** Takes a turn if one is free for this holder. */
  tryTake(name: string): boolean {
    const holder = this.holders.get(name);
    if (this.taken >= this.turns || (holder?.taken ?? 0) >= this.share) return false;
    this.take(name, holder);
    return true;
  }

  /** Waits for a turn. `onAbort` is given what to call back in order to give up. */
  wait(name: string, onAbort: (giveUp: () => void) => void): Promise<Waited> {
    if (this.waiting >= this.maxWaiting && !this.makeWayFor(name)) return Promise.resolve('refused');
    const holder = this.holderOf(name);
    return new Promise((resolve) => {
      const waiter: Waiter = { settle: resolve };
      holder.waiting.add(waiter);
      this.waiting += 1;
      onAbort(() => {
        if (this.remove(name, waiter)) resolve('given_up');
      });
    });
  }

  /** Gives a turn back; whoever is next takes it. */
  release(name: string): void {
    const holder = this.holders.get(name);
    if (holder === undefined || holder.taken === 0) throw new Error(`${name} has no turn to give back`);
    holder.taken -= 1;
    this.taken -= 1;
    this.forgetIdle(name);
    this.grantNext();
  }

  private grantNext(): void {
    if (this.taken >= this.turns) return;
    for (const [name, holder] of this.holders) {
      const [first] = holder.waiting;
      if (first === undefined || holder.taken >= this.share) continue;
      this.remove(name, first);
      const kept = this.holders.get(name);
      // The holder goes to the end of the line: the others come first the next time.
      this.holders.delete(name);
      this.take(name, kept);
      first.settle('granted');
      return;
    }
  }

  private take(name: string, holder: Holder = { taken: 0, waiting: new Set() }): void {
    holder.taken += 1;
    this.taken += 1;
    this.holders.set(name, holder);
  }

  private holderOf(name: string): Holder {
    const known = this.holders.get(name);
    if (known !== undefined) return known;
    const holder: Holder = { taken: 0, waiting: new Set() };
    this.holders.set(name, holder);
    return holder;
  }

  /** Refuses the newest call of whoever has most waiting; false where that is who asks. */
  private makeWayFor(name: string): boolean {
    const mine = this.holders.get(name)?.waiting.size ?? 0;
    let most: { readonly name: string; readonly waiting: Set<Waiter> } | undefined;
    for (const [other, { waiting }] of this.holders) {
      if (waiting.size > (most?.waiting.size ?? 0)) most = { name: other, waiting };
    }
    const newest = [...(most?.waiting ?? [])].at(-1);
    if (most === undefined || newest === undefined || most.waiting.size <= mine + 1) return false;
    this.remove(most.name, newest);
    newest.settle('refused');
    return true;
  }

  private remove(name: string, waiter: Waiter): boolean {
    const removed = this.holders.get(name)?.waiting.delete(waiter) === true;
    if (removed) {
      this.waiting -= 1;
      this.forgetIdle(name);
    }
    return removed;
  }

  private forgetIdle(name: string): void {
    const holder = this.holders.get(name);
    if (holder?.taken === 0 && holder.waiting.size === 0) this.holders.delete(name);
  }
}
