import type { Clock } from '@capability-router/kernel';
import { LruCache } from '@capability-router/service-kit';
import type pg from 'pg';
import type { DateWindow } from '../queries/date-window.js';
import { compareLedger, isReady } from '../readiness/compare-ledger.js';

/** Accounts remembered. */
const MAX_ACCOUNTS = 10_000;
/** Milliseconds after which an account's history is compared from its beginning again. */
const REMEMBERED_MS = 3_600_000;

/**
 * Whether the ledger is complete for a range. What was found complete stays so, because both sides are append-only: of a
 * history that was compared from its beginning, only what came since is compared again.
 */
export class CompleteRanges {
  private readonly until: LruCache<string, Date>;

  constructor(
    private readonly pool: pg.Pool,
    clock: Clock,
  ) {
    this.until = new LruCache(MAX_ACCOUNTS, clock);
  }

  /** `window.before` must not be after the settlement watermark. */
  async isComplete(accountId: string, window: DateWindow & { readonly before: Date }): Promise<boolean> {
    const known = this.until.get(accountId);
    if (known !== undefined && known >= window.before) return true;
    const joins = window.from === undefined || (known !== undefined && window.from <= known);
    const from = joins ? known : window.from;
    const compared = { before: window.before, ...(from === undefined ? {} : { from }) };
    const complete = (await compareLedger(this.pool, accountId, compared)).every(isReady);
    if (complete && joins) this.until.set(accountId, window.before, REMEMBERED_MS);
    return complete;
  }
}
