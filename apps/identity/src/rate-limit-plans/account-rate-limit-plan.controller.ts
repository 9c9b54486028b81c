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
import { Body, Controller, Get, Inject, Param, Put } from '@nestjs/common';
import type pg from 'pg';
import { accountsIn } from '../accounts/accounts-in.js';
import { awaitChange } from '../evictions/await-change.js';
import { assignPlan } from './assign-plan.js';
import { AssignRateLimitPlanRequest } from './rate-limit-plan.requests.js';
import { planRefusals, type AccountPlan } from './rate-limit-plan.responses.js';

/** Which plan an account has, as administrators decide. */
@Controller('admin/v1/accounts/:accountId/rate-limit-plan')
export class AccountRateLimitPlanController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async read(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
  ): Promise<ApiResponse<AccountPlan>> {
    requireAdmin(caller);
    const account = isAccountId(accountId) ? await (await accountsIn(this.pool)).findOneBy({ accountId }) : null;
    if (account === null || account.erasedAt !== null) throw new AppError('not_found');
    const { kind, rateLimitPlan } = account;
    return apiSuccess({ account_id: accountId, plan: rateLimitPlan ?? kind, assigned: rateLimitPlan !== null });
  }

  /** Answers when every living replica of the gateway acts by it, or after a second with `pending`. */
  @Put()
  @AllowCallers('gateway')
  async assign(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<AccountPlan>> {
    requireAdmin(caller);
    if (!isAccountId(accountId)) throw new AppError('not_found');
    const { plan } = requireValid(AssignRateLimitPlanRequest, body);
    const nowMs = this.clock.nowMs();
    const command = { accountId, plan, changedBy: caller.accountId, nowMs };
    const result = await inTransaction(this.pool, (tx) => assignPlan(tx, command));
    if (result.status === 'unknown_account' || result.status === 'unknown_plan') throw planRefusals[result.status]();
    if (result.status === 'changed') this.committed();
    const pending = await awaitChange(this.pool, result.change, nowMs);
    return apiSuccess({ account_id: accountId, plan: result.plan, assigned: plan !== null, ...pending });
  }
}
