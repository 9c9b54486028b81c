import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import type pg from 'pg';
import { requireAccountId } from '../admin-requests/admin-request.js';
import { GrantPageQuery, MAX_GRANTS_PER_PAGE } from './grant.requests.js';
import { listGrants } from './list-grants.sql.js';

/** Shows administrators the grants of an account and what is left of each. */
@Controller('admin/v1/accounts/:accountId/grants')
export class GrantsController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') account: string,
    @Query() query: unknown,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const { before, limit } = requireValid(GrantPageQuery, query, { location: 'query', allowUnknown: true });
    return apiSuccess(await listGrants(this.pool, requireAccountId(account), before, limit ?? MAX_GRANTS_PER_PAGE));
  }
}
