/** Time is injected, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** A clock that moves only when told to. */
export class ManualClock implements Clock {
  constructor(private currentMs: number) {}

  nowMs(): number {
    return this.currentMs;
  }

  advanceMs(deltaMs: number): void {
    this.currentMs += deltaMs;
  }
}

/** ISO 8601 in UTC with `Z`, as everything on the wire. */
export const toIso = (ms: number): string => new Date(ms).toISOString();

/** Is `YYYY-MM-DD` a day that there is? Whatever reads dates of texts lets the 30th of February through as a day in March. */
export function isRealDay(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && toIso(ms).startsWith(day);
}
