/** Answers whose times are remembered, and how many come between two looks at them. */
const REMEMBERED = 256;
const LOOK_EVERY = 32;
const PERCENTILE = 0.99;

/** Milliseconds within which an address answers nearly always; bounds, and what holds before anything is known. */
export const MIN_PATIENCE_MS = 100;
export const MAX_PATIENCE_MS = 2_000;
export const FIRST_PATIENCE_MS = 500;

/** How long the last answers of an address took. */
export class AnswerTimes {
  private readonly times = new Float64Array(REMEMBERED);
  private count = 0;
  private current = FIRST_PATIENCE_MS;

  /** Milliseconds that an answer took, or for which one was waited in vain. */
  record(ms: number): void {
    this.times[this.count % REMEMBERED] = ms;
    this.count += 1;
    if (this.count % LOOK_EVERY === 0) this.current = this.p99();
  }

  /** Milliseconds after which an answer is late: the 99th percentile, within bounds. */
  get patienceMs(): number {
    return this.current;
  }

  private p99(): number {
    const known = this.times.slice(0, Math.min(this.count, REMEMBERED)).sort();
    const at = known[Math.min(known.length - 1, Math.floor(known.length * PERCENTILE))] ?? FIRST_PATIENCE_MS;
    return Math.min(Math.max(at, MIN_PATIENCE_MS), MAX_PATIENCE_MS);
  }
}
