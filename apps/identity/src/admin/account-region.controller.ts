import { apiSuccess } from '@capability-router/contracts';
import type { AccountAssertion, ApiResponse } from '@capability-router/contracts';
import { AppError, isAccountId } from '@capability-router/kernel';
import {
  AllowCallers,
  CurrentAccount,
  inTransaction,
  requireAdmin,
  requireValid,
} from '@capability-router/service-kit';
import { Body, Controller, Inject, Param, Put } from '@nestjs/common';
import { setAccountRegion } from '../accounts/set-account-region.js';
import { IDENTITY } from '../context.js';
import type { IdentityContext } from '../context.js';
import { SetAccountRegionRequest } from './set-account-region.request.js';

export interface AccountRegion {
  readonly account_id: string;
  readonly region: string | null;
}

/** Where an account is, as far as tools with a `region` ask. Only an administrator says so, never a request of its own. */
@Controller('admin/v1/accounts')
export class AccountRegionController {
  constructor(@Inject(IDENTITY) private readonly identity: IdentityContext) {}

  /** Calls follow within a second: the gateway is told to ask about the account again. */
  @Put(':accountId/region')
  @AllowCallers('gateway')
  async set(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<AccountRegion>> {
    requireAdmin(caller);
    if (!isAccountId(accountId)) throw new AppError('not_found');
    const { region } = requireValid(SetAccountRegionRequest, body);
    const { pool, clock } = this.identity;
    const result = await inTransaction(pool, (tx) =>
      setAccountRegion(tx, accountId, region ?? undefined, clock.nowMs()),
    );
    if (result === 'unknown_account') throw new AppError('not_found');
    if (result === 'changed') this.identity.committed();
    return apiSuccess({ account_id: accountId, region });
  }
}
