import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AllowCallers, CurrentAccount, requireScope } from '@capability-router/service-kit';
import { Controller, Delete, Get, Inject, Param, Query } from '@nestjs/common';
import { requireApiKey } from '../../api-keys/may-give.js';
import { Consents, type ConsentList, type EndedConsent } from './consents.js';

/** Consents that people of the account that asks gave to programs, by its keys with the scope `manage`. */
@Controller('api/v1/auth/oauth-consents')
export class OwnConsentsController {
  constructor(@Inject(Consents) private readonly consents: Consents) {}

  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion, @Query() query: unknown): Promise<ApiResponse<ConsentList>> {
    requireScope(caller, 'manage');
    return apiSuccess(await this.consents.list(caller.accountId, query));
  }

  /** A program ends its own consent by `POST /oauth/revoke`, and nobody else's. */
  @Delete(':consentId')
  @AllowCallers('gateway')
  async end(
    @CurrentAccount() caller: AccountAssertion,
    @Param('consentId') consentId: string,
  ): Promise<ApiResponse<EndedConsent>> {
    requireScope(caller, 'manage');
    requireApiKey(caller);
    return apiSuccess(await this.consents.end(consentId, 'owner', caller));
  }
}
