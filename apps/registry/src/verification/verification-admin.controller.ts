import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import {
  AllowCallers,
  CurrentAccount,
  LOGGER,
  POOL,
  requireAdmin,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { Controller, Get, HttpCode, Inject, Param, Post } from '@nestjs/common';
import type pg from 'pg';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { VerificationCopy } from './verification-copy.js';
import { VerificationTask } from './verification.task.js';
import { findVerification, requestVerification } from './verification.sql.js';

/** Operators read the findings of verification about a tool, and their evidence. */
@Controller('admin/v1/verifications')
export class VerificationAdminController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CatalogueCopy) private readonly catalogue: CatalogueCopy,
    @Inject(VerificationCopy) private readonly copy: VerificationCopy,
    @Inject(VerificationTask) private readonly task: VerificationTask,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
  ) {}

  /** The verdict as callers see it, with the evidence of each check, the runs in a row that failed, and the next run. */
  @Get(':toolId')
  @AllowCallers('gateway')
  async get(@CurrentAccount() caller: AccountAssertion, @Param('toolId') toolId: string): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const tool = await this.toolOf(toolId);
    const stored = await findVerification(this.pool, toolId);
    await this.copy.refresh();
    return apiSuccess({
      tool_id: toolId,
      tool_version: tool.version,
      verification: this.copy.shown(tool),
      evidence: stored?.evidence ?? {},
      requested: stored?.requested ?? false,
      failures_in_row: stored?.failures ?? 0,
      ...(stored?.problem == null ? {} : { problem: stored.problem }),
      ...(stored?.next_due_at == null ? {} : { next_run_at: stored.next_due_at.toISOString() }),
    });
  }

  /** Has a tool verified within seconds, whether it is due or not. Repeating it changes nothing. */
  @Post(':toolId')
  @HttpCode(202)
  @AllowCallers('gateway')
  async request(
    @CurrentAccount() caller: AccountAssertion,
    @Param('toolId') toolId: string,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    await this.toolOf(toolId);
    await requestVerification(this.pool, toolId);
    this.task
      .begin()
      .catch((err: unknown) => this.logger.warn({ err, toolId }, 'a requested tool waits for the next round'));
    return apiSuccess({ tool_id: toolId, requested: true });
  }

  private async toolOf(toolId: string) {
    const tool = await this.catalogue.get(toolId);
    if (tool === undefined) {
      throw new AppError('not_found', 'No tool with the id in the path is published. GET /admin/v1/tools lists them.');
    }
    return tool;
  }
}
