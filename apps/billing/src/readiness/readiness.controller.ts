import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { toIso, type Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { LedgerDatesQuery } from '../ledger/ledger.query.js';
import { parseDateWindow } from '../queries/date-window.js';
import { validQuery } from '../queries/valid-query.js';
import { compareLedger } from './compare-ledger.sql.js';
import { readinessView } from './readiness-view.js';
import { settledUntil } from './settled-until.sql.js';

/** Whether what the account may read in the ledger is what happened. */
@Controller('api/v1/auth/credits/ledger-readiness')
export class ReadinessController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async readiness(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() raw: unknown,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    const query = validQuery(LedgerDatesQuery, raw);
    const window = parseDateWindow(query.start_date, query.end_date);
    const nowMs = this.clock.nowMs();
    const until = await settledUntil(this.pool, accountId, nowMs);
    const before = window.before !== undefined && window.before < until ? window.before : until;
    const entities = await compareLedger(this.pool, accountId, { ...window, before });
    const data = readinessView(entities, { checkedAt: toIso(nowMs), settledUntil: until.toISOString(), ...query });
    return apiSuccess(data, 'Ledger readiness retrieved');
  }
}
