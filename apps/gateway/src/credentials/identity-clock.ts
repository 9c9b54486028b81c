import { ManualClock } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import { CLOCK } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { STEADY_MS } from './steady-clock.js';
import type { SteadyMs } from './steady-clock.js';

/** Milliseconds by which the machine's clock may differ from identity's, as every service may from its database's. */
const MAX_SKEW_MS = 2_000;
/** Milliseconds that the header `Date` leaves open: it has whole seconds, rounded down. */
const DATE_STEP_MS = 1_000;
/** Milliseconds by which what was measured gets less certain in a second: more than the clocks of machines drift. */
const DRIFT_MS_PER_SECOND = 0.2;

/** Between what bounds the other clock shows more than the process's own, which never steps. Milliseconds. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly atMs: number;
}

/**
 * Whether the machine's clock is right, by the header `Date` of identity's answers, which are not given where identity's
 * own differs from that of its database. The gateway has no database; with a wrong clock no service would take its tokens,
 * so identity's refusal of one tells the time as well. A clock that is set later is noticed at once, also while identity is away.
 */
@Injectable()
export class IdentityClock {
  private bounds: Bounds | undefined;

  /** `local`: the machine's clock; one that a test moves by hand is right, whatever others say. */
  constructor(
    @Inject(CLOCK) private readonly local: Clock,
    @Inject(STEADY_MS) private readonly steadyMs: SteadyMs,
  ) {}

  /** `date`: as the header has it; `sentAtMs`, `heardAtMs`: of the clock that never steps. */
  heard(date: string | undefined, sentAtMs: number, heardAtMs: number): void {
    const toldMs = Date.parse(date ?? '');
    if (Number.isNaN(toldMs)) return;
    const next = { least: toldMs - heardAtMs, most: toldMs + DATE_STEP_MS - sentAtMs, atMs: heardAtMs };
    this.bounds = this.narrowed(next) ?? next;
  }

  /** What is wrong with the machine's clock, for people; undefined where it is right, or nothing was heard yet. */
  trouble(): string | undefined {
    if (this.bounds === undefined || this.local instanceof ManualClock) return undefined;
    const shownMs = this.local.nowMs() - this.steadyMs();
    const aheadMs = shownMs - this.bounds.most;
    const behindMs = this.bounds.least - shownMs;
    if (Math.max(aheadMs, behindMs) <= MAX_SKEW_MS) return undefined;
    const seconds = (Math.max(aheadMs, behindMs) / 1_000).toFixed(1);
    return `the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} identity's: set it right`;
  }

  /** What both say, as each leaves a second open; undefined where they contradict each other: identity's clock was set. */
  private narrowed(next: Bounds): Bounds | undefined {
    if (this.bounds === undefined) return undefined;
    const drifted = ((next.atMs - this.bounds.atMs) / 1_000) * DRIFT_MS_PER_SECOND;
    const least = Math.max(next.least, this.bounds.least - drifted);
    const most = Math.min(next.most, this.bounds.most + drifted);
    return least <= most ? { least, most, atMs: next.atMs } : undefined;
  }
}
