import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { decodeCursor } from '../queries/cursor.js';
import { parseDateWindow, type DateWindow } from '../queries/date-window.js';
import { feedPage } from '../queries/feed.js';
import { validQuery } from '../queries/valid-query.js';
import { settledUntil } from '../readiness/settled-until.sql.js';
import { CompleteRanges } from './complete-ranges.js';
import { readSettlementHistory } from './read-settlement-history.sql.js';
import { SettlementHistoryQuery } from './settlement-history.query.js';
import { settlementItemView } from './settlement-item-view.js';

/** Seconds. Settlement takes a fraction of one, a call up to its deadline. */
const UNSETTLED_RETRY_AFTER_SECONDS = 1;
const INCOMPLETE_RETRY_AFTER_SECONDS = 30;

/** The settled history of an account, from the ledger, and only where the ledger is complete. */
@Controller('api/v1/auth/account/settlement-history')
export class SettlementHistoryController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CompleteRanges) private readonly complete: CompleteRanges,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async page(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() raw: unknown,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    const { cursor, page_size: pageSize, ...query } = validQuery(SettlementHistoryQuery, raw);
    const window = parseDateWindow(query.start_date, query.end_date);
    const { scope } = query;
    const cursorScope = { feed: 'settlements', accountId, filters: { ...query, scope } };
    const beforeSeq = cursor === undefined ? undefined : decodeCursor(cursorScope, cursor);
    // Behind a cursor lies only what the first page has vouched for.
    const vouched = cursor === undefined ? await this.completeWindow(accountId, window) : window;
    const range = { window: vouched, scope, beforeSeq, rows: pageSize + 1 };
    const entries = await readSettlementHistory(this.pool, accountId, range);
    const data = feedPage(entries, pageSize, cursorScope, {
      sequenceOf: (entry) => entry.entrySeq.toString(),
      view: settlementItemView,
    });
    return apiSuccess(data, 'Settlement history retrieved');
  }

  /** The range, which ends now where it has no end or one in the future. Throws a 503 where the ledger lacks any of it. */
  private async completeWindow(accountId: string, window: DateWindow): Promise<DateWindow> {
    const now = new Date(this.clock.nowMs());
    const until = await settledUntil(this.pool, accountId, now.getTime());
    const before = window.before !== undefined && window.before < now ? window.before : now;
    if (before > until) {
      throw new AppError(
        'service_unavailable',
        `Charges after ${until.toISOString()} are still being settled. Retry later, or send an end_date before it.`,
        { retryAfterSeconds: UNSETTLED_RETRY_AFTER_SECONDS },
      );
    }
    const vouched = { ...window, before };
    const found = await this.complete.check(accountId, vouched);
    if (found === 'complete') return vouched;
    if (found === 'unfinished') {
      throw new AppError(
        'service_unavailable',
        'The ledger of this range is being compared for the first time. Retry: it goes on where it stopped.',
        { retryAfterSeconds: UNSETTLED_RETRY_AFTER_SECONDS },
      );
    }
    throw new AppError(
      'service_unavailable',
      'The ledger is not complete for this range. GET /auth/credits/ledger-readiness tells where; retry later.',
      { retryAfterSeconds: INCOMPLETE_RETRY_AFTER_SECONDS },
    );
  }
}
