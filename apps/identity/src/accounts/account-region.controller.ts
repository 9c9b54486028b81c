import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, isAccountId, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  COMMITTED,
  CurrentAccount,
  inTransaction,
  POOL,
  requireAdmin,
  requireValid,
} from '@capability-router/service-kit';
import { Body, Controller, Inject, Param, Put } from '@nestjs/common';
import type pg from 'pg';
import { awaitChange } from '../evictions/await-change.js';
import { setAccountRegion } from './set-account-region.js';
import { SetAccountRegionRequest } from './set-account-region.request.js';

export interface AccountRegion {
  readonly account_id: string;
  readonly region: string | null;
  /** Not every replica of the gateway has confirmed that it acts by it. */
  readonly pending?: true;
}

/** Where an account is, as far as tools with a `region` ask. Only an administrator says so, never a request of its own. */
@Controller('admin/v1/accounts')
export class AccountRegionController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  /** Answers when calls follow: every living replica of the gateway asks about the account again, or it says `pending`. */
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
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, (tx) => setAccountRegion(tx, accountId, region ?? undefined, nowMs));
    if (result.status === 'unknown_account') throw new AppError('not_found');
    if (result.status === 'changed') this.committed();
    return apiSuccess({ account_id: accountId, region, ...(await awaitChange(this.pool, result.change, nowMs)) });
  }
}
