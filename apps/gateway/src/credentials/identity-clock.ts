import { ManualClock, type Clock } from '@capability-router/kernel';
import { CLOCK } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { STEADY_MS } from '../tokens.js';
import type { SteadyMs } from './steady-clock.js';

/** Milliseconds by which the machine's clock may differ from identity's, as every service may from its database's. */
const MAX_SKEW_MS = 2_000;
/** Milliseconds that the header `Date` leaves open: it has whole seconds, rounded down. */
const DATE_STEP_MS = 1_000;
/** Milliseconds by which the machine's clock has moved against one that never steps, where it was set. */
const STEP_MS = 500;
/** Milliseconds for which nothing is held against a clock that was set, while identity says nothing. */
const UNDECIDED_MS = 5_000;
/** Milliseconds from one answer of identity to the next that is asked for. */
const LOOK_MS = 1_000;
/** The same where it is not decided whether the clock is right; once in `LOOK_MS`. */
const RECHECK_MS = 100;
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
 * so identity's refusal of one tells the time as well. Two answers in agreement decide, and no single one. A clock that
 * is set is judged by what identity says afterwards, since NTP may have set both; while identity is away, by what it
 * said before, after 5 s.
 */
@Injectable()
export class IdentityClock {
  /** The bounds on which at least two answers agree. */
  private agreed: Bounds | undefined;
  /** The last answer, where it contradicts what was agreed on. */
  private doubtful: Bounds | undefined;
  /** The milliseconds by which the machine's clock was ahead of the other at the last answer in agreement. */
  private shownMs = 0;
  /** When it was noticed that the machine's clock has been set since. */
  private stepSeenAtMs: number | undefined;
  private recheckedAtMs = -Infinity;

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
    // Where the last two agree against what was agreed on before, identity's clock was set.
    const agreed = narrowed(this.agreed, next) ?? narrowed(this.doubtful, next);
    if (agreed === undefined) this.doubtful = next;
    else {
      this.agreed = agreed;
      this.doubtful = undefined;
      this.shownMs = this.shownNowMs();
      this.stepSeenAtMs = undefined;
    }
  }

  /** Another answer is needed, and the sooner the better. */
  get isUndecided(): boolean {
    return this.doubtful !== undefined || this.stepSeenAtMs !== undefined;
  }

  /** Another answer should come before its time. Takes its turn: it is false then for a while. */
  isRecheckDue(): boolean {
    const nowMs = this.steadyMs();
    if (!this.isUndecided || nowMs - this.recheckedAtMs < LOOK_MS) return false;
    this.recheckedAtMs = nowMs;
    return true;
  }

  /** Milliseconds after which identity is to be asked again. Takes the turn of a recheck. */
  untilNextLookMs(): number {
    return this.isRecheckDue() ? RECHECK_MS : LOOK_MS;
  }

  /** The fault of the machine's clock, for people; undefined where it is right, or not decided yet. */
  trouble(): string | undefined {
    if (this.agreed === undefined || this.local instanceof ManualClock) return undefined;
    const shownMs = this.shownNowMs();
    const aheadMs = shownMs - this.agreed.most;
    const behindMs = this.agreed.least - shownMs;
    const offMs = Math.max(aheadMs, behindMs);
    // Asked even where the clock is right: one that was set back has no step behind it, and a later step has its own grace.
    const setLately = this.wasSetLately(shownMs);
    if (offMs <= MAX_SKEW_MS || setLately) return undefined;
    const seconds = (offMs / 1_000).toFixed(1);
    return `the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} identity's: set it right`;
  }

  private shownNowMs(): number {
    return this.local.nowMs() - this.steadyMs();
  }

  /** The machine's clock was set not long ago, and identity's perhaps with it. */
  private wasSetLately(shownMs: number): boolean {
    if (Math.abs(shownMs - this.shownMs) <= STEP_MS) {
      this.stepSeenAtMs = undefined;
      return false;
    }
    this.stepSeenAtMs ??= this.steadyMs();
    return this.steadyMs() - this.stepSeenAtMs <= UNDECIDED_MS;
  }
}

/**
 * The bounds that both allow, as each leaves a second open; undefined where they contradict each other or there were
 * none before.
 */
function narrowed(before: Bounds | undefined, next: Bounds): Bounds | undefined {
  if (before === undefined) return undefined;
  const drifted = ((next.atMs - before.atMs) / 1_000) * DRIFT_MS_PER_SECOND;
  const least = Math.max(next.least, before.least - drifted);
  const most = Math.min(next.most, before.most + drifted);
  return least <= most ? { least, most, atMs: next.atMs } : undefined;
}
