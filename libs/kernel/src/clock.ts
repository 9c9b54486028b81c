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
