import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { listEntries } from './list-entries.sql.js';
import { SecurityLogQuery, windowOf } from './security-log.query.js';
import { toPage, type SecurityLogPage } from './security-log.view.js';

/** Who did what, for administrators. */
@Controller('admin/v1/security-log')
export class SecurityLogController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** The newest first. */
  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() caller: AccountAssertion,
    @Query() query: unknown,
  ): Promise<ApiResponse<SecurityLogPage>> {
    requireAdmin(caller);
    const asked = requireValid(SecurityLogQuery, query, { location: 'query' });
    const { limit, cursor, account_id: accountId, actor, action } = asked;
    const filter = { accountId, actor, action, ...windowOf(asked), before: cursor };
    return apiSuccess(toPage(await listEntries(this.pool, filter, limit + 1), limit));
  }
}
