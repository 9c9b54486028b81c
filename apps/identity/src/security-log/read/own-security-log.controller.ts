import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, POOL, requireScope, requireValid } from '@capability-router/service-kit';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import type pg from 'pg';
import { listEntries } from './list-entries.sql.js';
import { OwnSecurityLogQuery, windowOf } from './security-log.query.js';
import { toPage, type SecurityLogPage } from './security-log.view.js';

/** The security log of the account that asks, by its keys with the scope `manage`. */
@Controller('api/v1/auth/security-log')
export class OwnSecurityLogController {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  /** The newest first. Where an operator acted from is not told. */
  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() caller: AccountAssertion,
    @Query() query: unknown,
  ): Promise<ApiResponse<SecurityLogPage>> {
    requireScope(caller, 'manage');
    const asked = requireValid(OwnSecurityLogQuery, query, { location: 'query' });
    const { limit, cursor, action } = asked;
    const filter = { accountId: caller.accountId, action, ...windowOf(asked), before: cursor };
    const rows = await listEntries(this.pool, filter, limit + 1);
    return apiSuccess(
      toPage(
        rows.map((row) => (row.actorType === 'operator' ? { ...row, details: null } : row)),
        limit,
      ),
    );
  }
}
