import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, isLedgerEntryId, type Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CONFIG, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import { listWrapper, pageOf, samplesOf } from '../queries/paging.js';
import { summaryWindow } from '../queries/summary-window.js';
import { validSummaryQuery } from '../queries/valid-query.js';
import { ledgerEntryView } from './ledger-entry-view.js';
import { ledgerFilterOf } from './ledger-filter.js';
import { findLedgerEntry, listLedger } from './ledger-queries.sql.js';
import { summariseLedger } from './ledger-summary.sql.js';
import { LedgerQuery } from './ledger.query.js';

@Controller('api/v1/auth/credits/ledger')
export class LedgerController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() raw: unknown,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    const query = validSummaryQuery(LedgerQuery, raw);
    const page = pageOf(query);
    const filter = ledgerFilterOf(query);
    const [{ rows, total }, summary] = await Promise.all([
      listLedger(this.pool, accountId, filter, page, this.config.pageTimeoutMs),
      query.summary
        ? summariseLedger(this.pool, accountId, filter, {
            ...summaryWindow(query, this.clock.nowMs()),
            samples: samplesOf(query),
          })
        : null,
    ]);
    return apiSuccess(listWrapper(rows.map(ledgerEntryView), total, page, summary), 'Credits ledger retrieved');
  }

  @Get(':entryId')
  @AllowCallers('gateway')
  async entry(
    @CurrentAccount() account: AccountAssertion,
    @Param('entryId') entryId: string,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    const entry = isLedgerEntryId(entryId) ? await findLedgerEntry(this.pool, account.accountId, entryId) : undefined;
    if (entry === undefined) throw new AppError('not_found', 'No such ledger entry in this account.');
    return apiSuccess(ledgerEntryView(entry), 'Ledger entry retrieved');
  }
}
