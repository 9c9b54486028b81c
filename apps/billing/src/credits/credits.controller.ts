import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount } from '@capability-router/service-kit';
import { Controller, Get, Inject } from '@nestjs/common';
import type pg from 'pg';
import { BILLING_POOL } from '../tokens.js';
import { creditsView } from './credits-view.js';

@Controller('api/v1')
export class CreditsController {
  constructor(@Inject(BILLING_POOL) private readonly pool: pg.Pool) {}

  @Get(['auth/credits', 'credits'])
  @AllowCallers('gateway')
  async credits(@CurrentAccount() account: AccountAssertion): Promise<ApiResponse<Record<string, unknown>>> {
    return apiSuccess(await creditsView(this.pool, account.accountId), 'Credits retrieved');
  }
}
