import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, requireScope } from '@capability-router/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Put } from '@nestjs/common';
import { requireApiKey } from '../api-keys/may-give.js';
import type { MovedKey, ProjectFacts, ProjectList, ProjectWithKeys } from './project.responses.js';
import { Projects } from './projects.js';

/** The projects of the account that asks, by its keys with the scope `manage`. */
@Controller('api/v1/auth/projects')
export class OwnProjectsController {
  constructor(@Inject(Projects) private readonly projects: Projects) {}

  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion): Promise<ApiResponse<ProjectList>> {
    requireScope(caller, 'manage');
    return apiSuccess(await this.projects.list(caller.accountId));
  }

  @Get(':projectId')
  @AllowCallers('gateway')
  async read(
    @CurrentAccount() caller: AccountAssertion,
    @Param('projectId') projectId: string,
  ): Promise<ApiResponse<ProjectWithKeys>> {
    requireScope(caller, 'manage');
    return apiSuccess(await this.projects.read(caller.accountId, projectId));
  }

  @Post()
  @HttpCode(201)
  @AllowCallers('gateway')
  async create(@CurrentAccount() caller: AccountAssertion, @Body() body: unknown): Promise<ApiResponse<ProjectFacts>> {
    requireMayDecide(caller);
    return apiSuccess(await this.projects.create(caller.accountId, body));
  }

  @Patch(':projectId')
  @AllowCallers('gateway')
  async change(
    @CurrentAccount() caller: AccountAssertion,
    @Param('projectId') projectId: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<ProjectFacts>> {
    requireMayDecide(caller);
    return apiSuccess(await this.projects.change(caller.accountId, projectId, body));
  }

  @Put(':projectId/api-keys/:apiKeyId')
  @AllowCallers('gateway')
  async take(
    @CurrentAccount() caller: AccountAssertion,
    @Param('projectId') projectId: string,
    @Param('apiKeyId') apiKeyId: string,
  ): Promise<ApiResponse<MovedKey>> {
    requireMayDecide(caller);
    return apiSuccess(await this.projects.move(caller.accountId, { projectId, apiKeyId, to: 'in' }));
  }

  @Delete(':projectId/api-keys/:apiKeyId')
  @AllowCallers('gateway')
  async release(
    @CurrentAccount() caller: AccountAssertion,
    @Param('projectId') projectId: string,
    @Param('apiKeyId') apiKeyId: string,
  ): Promise<ApiResponse<MovedKey>> {
    requireMayDecide(caller);
    return apiSuccess(await this.projects.move(caller.accountId, { projectId, apiKeyId, to: 'out' }));
  }
}

/** Throws 403 for a key that would change its own limits, or those that it is not above. */
function requireMayDecide(caller: AccountAssertion): void {
  requireScope(caller, 'manage');
  requireApiKey(caller);
  if (caller.projectId === undefined && caller.budgets === undefined) return;
  throw new AppError('forbidden', 'A key of a project, or with a budget, changes no project. Use a key without.');
}
