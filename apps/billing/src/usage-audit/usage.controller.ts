import {
  apiSuccess,
  type AccountAssertion,
  type ApiResponse,
  type PayloadLookupResponse,
} from '@capability-router/contracts';
import { AppError, isUuid } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import type pg from 'pg';
import { parseCreditRange } from '../queries/credit-range.js';
import { parseDateWindow } from '../queries/date-window.js';
import { listWrapper, pageOf } from '../queries/paging.js';
import { validQuery } from '../queries/valid-query.js';
import { BILLING_POOL } from '../tokens.js';
import { PayloadReader } from './payload-reader.js';
import { usageEventView, type UsageEventRow } from './usage-event-view.js';
import { DEFAULT_USAGE_PAGE_SIZE, UsageHistoryQuery } from './usage-history.query.js';
import { findUsage, listUsage } from './usage-queries.js';

@Controller('api/v1/auth/usage/history/v2')
export class UsageController {
  constructor(
    @Inject(BILLING_POOL) private readonly pool: pg.Pool,
    @Inject(PayloadReader) private readonly payloads: PayloadReader,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() account: AccountAssertion,
    @Query() raw: unknown,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    const query = validQuery(UsageHistoryQuery, raw);
    const page = pageOf(query, DEFAULT_USAGE_PAGE_SIZE);
    const filter = {
      ...query,
      window: parseDateWindow(query.start_date, query.end_date),
      credits: parseCreditRange(query),
    };
    const { rows, total } = await listUsage(this.pool, account.accountId, filter, page);
    const details = query.include_details === true ? await this.payloads.read(account.accountId, rows) : undefined;
    return apiSuccess(
      listWrapper(
        rows.map((row) => view(row, details)),
        total,
        page,
      ),
      'Usage history retrieved',
    );
  }

  @Get(':eventId')
  @AllowCallers('gateway')
  async entry(
    @CurrentAccount() account: AccountAssertion,
    @Param('eventId') eventId: string,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    if (!isUuid(eventId)) {
      throw new AppError('validation_error', 'event_id must be a UUID.', {
        details: [{ type: 'uuid_parsing', loc: ['path', 'event_id'], msg: 'must be a UUID', input: eventId }],
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
