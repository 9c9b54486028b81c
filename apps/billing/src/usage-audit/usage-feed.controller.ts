import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { decodeCursor } from '../queries/cursor.js';
import { feedPage } from '../queries/feed.js';
import { validQuery } from '../queries/valid-query.js';
import { usageFilterOf } from './usage-filter.js';
import { UsageFeedQuery } from './usage-history.query.js';
import { usageItemView } from './usage-item-view.js';
import { readUsageFeed } from './usage-queries.sql.js';

/** The usage audit page after page, each at the cost of the first. */
@Controller('api/v1/auth/usage/history/v2/summary')
export class UsageFeedController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async page(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() raw: unknown,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    const { cursor, page_size: pageSize, ...filters } = validQuery(UsageFeedQuery, raw);
    const filter = usageFilterOf(filters, this.clock.nowMs());
    const scope = { feed: 'usage', accountId, filters };
    const beforeSeq = cursor === undefined ? undefined : decodeCursor(scope, cursor);
    const range = { beforeSeq, rows: pageSize + 1 };
    const rows = await readUsageFeed(this.pool, accountId, filter, range);
    const data = feedPage(rows, pageSize, scope, { sequenceOf: (row) => row.record_seq, view: usageItemView });
    return apiSuccess(data, 'Usage summary retrieved');
  }
}
