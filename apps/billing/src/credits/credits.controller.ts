import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import type { AccountId, Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CONFIG, CurrentAccount, POOL } from '@capability-router/service-kit';
import { Controller, Get, Inject } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import { dailyFreeView } from '../daily-free/daily-allowance.js';
import { allowanceOf } from '../daily-free/domain/daily-allowance.js';
import { creditsView } from './credits-view.js';

@Controller('api/v1')
export class CreditsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  @Get(['auth/credits', 'credits'])
  @AllowCallers('gateway')
  async credits(@CurrentAccount() account: AccountAssertion): Promise<ApiResponse<Record<string, unknown>>> {
    const allowance = allowanceOf(account, this.config.dailyFreeCredits, this.clock.nowMs());
    const [view, dailyFree] = await Promise.all([
      creditsView(this.pool, account.accountId),
      dailyFreeView(this.pool, account.accountId as AccountId, allowance),
    ]);
    return apiSuccess({ ...view, daily_free: dailyFree }, 'Credits retrieved');
  }
}
