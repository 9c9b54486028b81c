/** A run that others may wait for. */
export interface Flight<T> {
  /** Tells others what they may have; `undefined`: nothing, and each runs for itself. Only the first call counts. */
  share(value: T | undefined): void;
  /** Nobody joins any more. Whoever waits gets nothing, unless something was shared. */
  close(): void;
}

/** One run for all who ask for the same at the same time, in this process. */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Promise<T | undefined>>();

  /** Gives what the flight under way shares; undefined if there is none. */
  join(key: string): Promise<T | undefined> | undefined {
    return this.flights.get(key);
  }

  /** The caller leads, and has to close the flight whatever happens. */
  open(key: string): Flight<T> {
    let share: (value: T | undefined) => void = () => undefined;
    const shared = new Promise<T | undefined>((resolve) => (share = resolve));
    this.flights.set(key, shared);
    return {
      share,
      close: () => {
        share(undefined);
        if (this.flights.get(key) === shared) this.flights.delete(key);
      },
    };
  }

  get size(): number {
    return this.flights.size;
  }
}
