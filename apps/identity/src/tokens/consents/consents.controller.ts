import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, isAccountId } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, POOL, requireAdmin } from '@capability-router/service-kit';
import { Controller, Delete, Get, Inject, Param, Query } from '@nestjs/common';
import type pg from 'pg';
import { accountsIn } from '../../accounts/accounts-in.js';
import { Consents, type ConsentList, type EndedConsent } from './consents.js';

/** Consents of accounts, for administrators. */
@Controller('admin/v1')
export class ConsentsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(Consents) private readonly consents: Consents,
  ) {}

  @Get('accounts/:accountId/oauth-consents')
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
    @Query() query: unknown,
  ): Promise<ApiResponse<ConsentList>> {
    requireAdmin(caller);
    const isThere = isAccountId(accountId) && (await (await accountsIn(this.pool)).existsBy({ accountId }));
    if (!isThere) throw new AppError('not_found');
    return apiSuccess(await this.consents.list(accountId, query));
  }

  @Delete('oauth-consents/:consentId')
  @AllowCallers('gateway')
  async end(
    @CurrentAccount() caller: AccountAssertion,
    @Param('consentId') consentId: string,
  ): Promise<ApiResponse<EndedConsent>> {
    requireAdmin(caller);
    return apiSuccess(await this.consents.end(consentId, 'administrator'));
  }
}
