import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type Clock } from '@capability-router/kernel';
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
import { Body, Controller, Delete, Get, Inject, Param, Put } from '@nestjs/common';
import type pg from 'pg';
import { awaitChange } from '../evictions/await-change.js';
import { putPlan } from './put-plan.js';
import { inOrder, isDefaultPlan, PLAN_NAME } from './rate-limit-plan.js';
import { PutRateLimitPlanRequest } from './rate-limit-plan.requests.js';
import {
  planRefusals,
  requirePlanName,
  toPlan,
  toPlanList,
  type PlanFacts,
  type PlanList,
  type RemovedPlan,
} from './rate-limit-plan.responses.js';
import { rateLimitPlansIn } from './rate-limit-plans-in.js';
import { removePlan } from './remove-plan.js';

/** Named limits, as administrators make them. */
@Controller('admin/v1/rate-limit-plans')
export class RateLimitPlansController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion): Promise<ApiResponse<PlanList>> {
    requireAdmin(caller);
    const plans = await rateLimitPlansIn(this.pool);
    return apiSuccess(toPlanList(await plans.find({ order: { name: 'ASC' } })));
  }

  @Get(':name')
  @AllowCallers('gateway')
  async read(@CurrentAccount() caller: AccountAssertion, @Param('name') name: string): Promise<ApiResponse<PlanFacts>> {
    requireAdmin(caller);
    const plans = PLAN_NAME.test(name) ? await rateLimitPlansIn(this.pool) : undefined;
    const plan = (await plans?.findOneBy({ name })) ?? undefined;
    if (plan === undefined && !isDefaultPlan(name)) throw new AppError('not_found');
    return apiSuccess(toPlan(name, plan));
  }

  /** All limits of the plan. Answers when every living gateway acts by them, or after a second with `pending`. */
  @Put(':name')
  @AllowCallers('gateway')
  async put(
    @CurrentAccount() caller: AccountAssertion,
    @Param('name') name: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<PlanFacts>> {
    requireAdmin(caller);
    requirePlanName(name);
    const { per_minute: given } = requireValid(PutRateLimitPlanRequest, body);
    // Null says the same as absence.
    const perMinute = inOrder(Object.fromEntries(Object.entries(given).filter(([, limit]) => limit !== null)));
    const nowMs = this.clock.nowMs();
    const command = { name, perMinute, changedBy: caller.accountId, nowMs };
    const result = await inTransaction(this.pool, (tx) => putPlan(tx, command));
    if (result.status === 'too_many_plans') throw planRefusals[result.status]();
    if (result.status === 'changed') this.committed();
    const changedAt = new Date(result.change?.changedAtMs ?? nowMs);
    const pending = await awaitChange(this.pool, result.change, nowMs);
    return apiSuccess({ ...toPlan(name, { perMinute, changedAt }), ...pending });
  }

  @Delete(':name')
  @AllowCallers('gateway')
  async remove(
    @CurrentAccount() caller: AccountAssertion,
    @Param('name') name: string,
  ): Promise<ApiResponse<RemovedPlan>> {
    requireAdmin(caller);
    if (isDefaultPlan(name)) throw planRefusals.default_plan();
    if (!PLAN_NAME.test(name)) throw new AppError('not_found');
    const command = { name, removedBy: caller.accountId, nowMs: this.clock.nowMs() };
    const status = await inTransaction(this.pool, (tx) => removePlan(tx, command));
    if (status === 'unknown_plan') throw new AppError('not_found');
    if (status === 'plan_in_use') throw planRefusals[status]();
    this.committed();
    return apiSuccess({ name, removed: true });
  }
}
