import type { Clock } from '@capability-router/kernel';
import { CLOCK, ExpiringCache, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { DateWindow } from '../queries/date-window.js';
import { compareLedger, isReady } from '../readiness/compare-ledger.sql.js';
import { recordedBehind } from './complete-ranges.sql.js';

/** Ranges remembered: of an account one from its beginning, and those that began at a date. */
const MAX_RANGES = 10_000;
/** Milliseconds after which a range that nobody asks for is compared from its beginning again. */
const REMEMBERED_MS = 3_600_000;
/** Bounds of what one request compares. */
const boundsOfRequest = {
  /** Entries of one statement, which takes a fraction of a second. */
  sliceEntries: 20_000,
  /** Milliseconds after which it compares no further; the next one goes on there. */
  budgetMs: 4_000,
};

/** `unfinished`: complete as far as it was compared in the time of one request. */
export type Completeness = 'complete' | 'incomplete' | 'unfinished';

/**
 * Whether the ledger is complete for a range. What was found complete stays so, because both sides are append-only: of a
 * history that was compared from its beginning, only what came since is compared again, and of a long one a slice is
 * compared after the other, over as many requests as that takes.
 */
@Injectable()
export class CompleteRanges {
  private readonly until: ExpiringCache<string, Date>;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.until = new ExpiringCache(MAX_RANGES, clock);
  }

  /** `window.before` must not be after the settlement watermark. */
  async check(
    accountId: string,
    window: DateWindow & { readonly before: Date },
    { sliceEntries, budgetMs } = boundsOfRequest,
  ): Promise<Completeness> {
    const whole = this.until.get(accountId);
    const joins = window.from === undefined || (whole !== undefined && window.from <= whole);
    const range = joins ? accountId : `${accountId} ${window.from.toISOString()}`;
    let from = joins ? whole : (this.until.get(range) ?? window.from);
    const startedMs = performance.now();
    while (from === undefined || from < window.before) {
      const before = await this.sliceEnd(accountId, from, window.before, sliceEntries);
      const entities = await compareLedger(this.pool, accountId, { before, ...(from === undefined ? {} : { from }) });
      if (!entities.every(isReady)) return 'incomplete';
      this.until.set(range, before, REMEMBERED_MS);
      from = before;
      // After a slice, so that every request gets on.
      if (from < window.before && performance.now() - startedMs > budgetMs) return 'unfinished';
    }
    return 'complete';
  }

  /** Where a slice ends that begins there. Entries are recorded about when they took effect, or soon after. */
  private async sliceEnd(accountId: string, from: Date | undefined, before: Date, entries: number): Promise<Date> {
    const next = await recordedBehind(this.pool, accountId, from ?? new Date(0), entries);
    return next === undefined || next >= before || (from !== undefined && next <= from) ? before : next;
  }
}
