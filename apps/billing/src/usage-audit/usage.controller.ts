import {
  apiSuccess,
  type AccountAssertion,
  type ApiResponse,
  type PayloadLookupResponse,
} from '@capability-router/contracts';
import { AppError, isUuid, type Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CONFIG, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import { listWrapper, pageOf, samplesOf } from '../queries/paging.js';
import { summaryWindow } from '../queries/summary-window.js';
import { validSummaryQuery } from '../queries/valid-query.js';
import { PayloadReader } from './payload-reader.js';
import { usageEventView, type UsageEventRow } from './usage-event-view.js';
import { usageFilterOf } from './usage-filter.js';
import { UsageHistoryQuery } from './usage-history.query.js';
import { findUsage, listUsage } from './usage-queries.sql.js';
import { summariseUsage } from './usage-summary.sql.js';

@Controller('api/v1/auth/usage/history/v2')
export class UsageController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(PayloadReader) private readonly payloads: PayloadReader,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() raw: unknown,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    const query = validSummaryQuery(UsageHistoryQuery, raw);
    const page = pageOf(query);
    const nowMs = this.clock.nowMs();
    const filter = usageFilterOf(query, nowMs);
    const [{ rows, total }, summary] = await Promise.all([
      listUsage(this.pool, accountId, filter, page, this.config.pageTimeoutMs),
      query.summary
        ? summariseUsage(this.pool, accountId, filter, {
            ...summaryWindow(query, nowMs),
            samples: samplesOf(query),
          })
        : null,
    ]);
    const details = query.include_details ? await this.payloads.read(accountId, rows) : undefined;
    const items = rows.map((row) => view(row, details));
    return apiSuccess(listWrapper(items, total, page, summary), 'Usage history retrieved');
  }

  @Get(':eventId')
  @AllowCallers('gateway')
  async entry(
    @CurrentAccount() account: AccountAssertion,
    @Param('eventId') eventId: string,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    if (!isUuid(eventId)) {
      throw new AppError('validation_error', 'event_id must be a UUID.', {
        details: [
          {
            type: 'uuid_parsing',
            loc: ['path', 'event_id'],
            msg: 'must be a UUID',
            input: eventId,
            allowed: { format: 'uuid' },
          },
        ],
      });
    }
    const row = await findUsage(this.pool, account.accountId, eventId);
    if (row === undefined) throw new AppError('not_found', 'No such usage event in this account.');
    return apiSuccess(view(row, await this.payloads.read(account.accountId, [row])), 'Usage event retrieved');
  }
}

function view(row: UsageEventRow, details: PayloadLookupResponse['payloads'] | undefined): Record<string, unknown> {
  return details === undefined ? usageEventView(row) : usageEventView(row, { payload: details[row.id] });
}
