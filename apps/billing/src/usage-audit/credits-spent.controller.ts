import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { sumOfCredits } from '../queries/sum-of-credits.js';
import { unlessTooMuch } from '../queries/too-much-to-read.js';
import { validQuery } from '../queries/valid-query.js';
import { readSpent } from './credits-spent.sql.js';
import { usageFilterOf } from './usage-filter.js';
import { CreditsSpentQuery } from './usage-history.query.js';

/** Adds up what was settled, less what was refunded, over all events that match. */
@Controller('api/v1/auth/usage/credits-spent')
export class CreditsSpentController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async spent(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() raw: unknown,
  ): Promise<ApiResponse<Record<string, unknown>>> {
    const query = validQuery(CreditsSpentQuery, raw);
    const filter = usageFilterOf(query, this.clock.nowMs());
    const spent = await unlessTooMuch(readSpent(this.pool, accountId, filter));
    return apiSuccess(
      {
        total_credits: sumOfCredits(spent),
        ...(query.start_date === undefined ? {} : { start_date: query.start_date }),
        ...(query.end_date === undefined ? {} : { end_date: query.end_date }),
      },
      'Credits spent retrieved',
    );
  }
}
