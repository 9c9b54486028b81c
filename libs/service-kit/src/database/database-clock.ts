import { ManualClock, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Readiness } from '../http/server.js';

/** Milliseconds by which the machine's clock may differ from the database's in a replica that is ready. */
const MAX_SKEW_MS = 2_000;
/** Milliseconds after which the database is asked for its time again, once somebody wants to know it. */
const REMEASURE_AFTER_MS = 1_000;
/** Milliseconds by which what was measured gets less certain in a second: more than the clocks of machines drift. */
const DRIFT_MS_PER_SECOND = 0.2;

const sql = `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms`;

/** The milliseconds that the database's clock shows beyond the process's own, which never steps. */
interface Measured {
  readonly offsetMs: number;
  /** The offset is right by this much, when it was measured. */
  readonly errorMs: number;
  readonly atMs: number;
}

export interface DatabaseClockOptions {
  /** The machine's clock. One that a test moves by hand is the time, whatever the database says. */
  readonly local: Clock;
  /** Milliseconds of a clock that never steps. */
  readonly monotonicMs?: () => number;
}

/**
 * The time of the service's database, to within half of a round trip, without asking it each time. What is recorded for
 * ever is stamped with it, so that a machine whose clock is wrong writes neither the future nor the past: of all replicas
 * of a service there is one time. It never runs back, unless the database's own clock was set back.
 */
export class DatabaseClock implements Clock {
  private readonly monotonicMs: () => number;
  private measured: Measured | undefined;
  private measuring: Promise<void> | undefined;
  private askedAtMs = -Infinity;
  private lastMs = -Infinity;

  private constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly options: DatabaseClockOptions,
  ) {
    this.monotonicMs = options.monotonicMs ?? (() => performance.now());
  }

  /** Asks the database once. Rejects where it does not answer. */
  static async over(pool: Pick<pg.Pool, 'query'>, options: DatabaseClockOptions): Promise<DatabaseClock> {
    const clock = new DatabaseClock(pool, options);
    if (!(options.local instanceof ManualClock)) await clock.measure();
    return clock;
  }

  nowMs(): number {
    if (this.measured === undefined) return this.options.local.nowMs();
    const monotonicMs = this.monotonicMs();
    this.measureAgain(monotonicMs);
    this.lastMs = Math.max(this.lastMs, Math.floor(monotonicMs + this.measured.offsetMs));
    return this.lastMs;
  }

  /** Milliseconds by which the machine's clock is ahead of the database's; negative where it is behind. */
  skewMs(): number {
    return this.options.local.nowMs() - this.nowMs();
  }

  /** Says to people what is wrong with the machine's clock; undefined where it is right. */
  trouble(): string | undefined {
    const skewMs = this.skewMs();
    if (Math.abs(skewMs) <= MAX_SKEW_MS) return undefined;
    const seconds = (Math.abs(skewMs) / 1_000).toFixed(1);
    return `the clock of this machine is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the database's: set it right`;
  }

  /** `readiness`, or why the replica is not ready whatever else is: tokens and deadlines go by the machine's clock. */
  judge(readiness: Readiness): Readiness {
    const trouble = this.trouble();
    return trouble === undefined ? readiness : { ready: false, detail: trouble };
  }

  /** Resolves when the time has been compared once more; for tests. */
  async settled(): Promise<void> {
    await this.measuring;
  }

  private measureAgain(monotonicMs: number): void {
    if (this.measuring !== undefined || monotonicMs - this.askedAtMs < REMEASURE_AFTER_MS) return;
    this.measuring = this.measure()
      // The database is away: what was measured before stays right for long.
      .catch(() => undefined)
      .finally(() => {
        this.measuring = undefined;
      });
  }

  private async measure(): Promise<void> {
    const sentMs = this.monotonicMs();
    this.askedAtMs = sentMs;
    const { rows } = await this.pool.query<{ ms: string }>(sql);
    const heardMs = this.monotonicMs();
    const databaseMs = Number(rows[0]?.ms);
    if (!Number.isFinite(databaseMs)) throw new Error('the database did not tell its time');
    const errorMs = (heardMs - sentMs) / 2;
    this.believe({ offsetMs: databaseMs - (sentMs + heardMs) / 2, errorMs, atMs: heardMs });
  }

  /** The surer of the two, unless they contradict each other: then the database's clock was set. */
  private believe(next: Measured): void {
    const before = this.measured;
    if (before === undefined) {
      this.measured = next;
      return;
    }
    const errorBefore = before.errorMs + ((next.atMs - before.atMs) / 1_000) * DRIFT_MS_PER_SECOND;
    const contradict = Math.abs(next.offsetMs - before.offsetMs) > errorBefore + next.errorMs;
    if (contradict) this.lastMs = -Infinity;
    if (contradict || next.errorMs <= errorBefore) this.measured = next;
  }
}
