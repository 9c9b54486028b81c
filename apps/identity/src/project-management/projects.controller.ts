import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, isAccountId } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, requireAdmin } from '@capability-router/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Put } from '@nestjs/common';
import type { MovedKey, ProjectFacts, ProjectList, ProjectWithKeys } from './project.responses.js';
import { Projects } from './projects.js';

/** The projects of accounts, for administrators. */
@Controller('admin/v1')
export class ProjectsController {
  constructor(@Inject(Projects) private readonly projects: Projects) {}

  @Get('accounts/:accountId/projects')
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
  ): Promise<ApiResponse<ProjectList>> {
    requireAdmin(caller);
    if (!isAccountId(accountId)) throw new AppError('not_found');
    return apiSuccess(await this.projects.list(accountId));
  }

  @Post('accounts/:accountId/projects')
  @HttpCode(201)
  @AllowCallers('gateway')
  async create(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<ProjectFacts>> {
    requireAdmin(caller);
    if (!isAccountId(accountId)) throw new AppError('not_found');
    return apiSuccess(await this.projects.create(accountId, body));
  }

  @Get('projects/:projectId')
  @AllowCallers('gateway')
  async read(
    @CurrentAccount() caller: AccountAssertion,
    @Param('projectId') projectId: string,
  ): Promise<ApiResponse<ProjectWithKeys>> {
    requireAdmin(caller);
    return apiSuccess(await this.projects.read(undefined, projectId));
  }

  @Patch('projects/:projectId')
  @AllowCallers('gateway')
  async change(
    @CurrentAccount() caller: AccountAssertion,
    @Param('projectId') projectId: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<ProjectFacts>> {
    requireAdmin(caller);
    return apiSuccess(await this.projects.change(undefined, projectId, body));
  }

  @Put('projects/:projectId/api-keys/:apiKeyId')
  @AllowCallers('gateway')
  async take(
    @CurrentAccount() caller: AccountAssertion,
    @Param('projectId') projectId: string,
    @Param('apiKeyId') apiKeyId: string,
  ): Promise<ApiResponse<MovedKey>> {
    requireAdmin(caller);
    return apiSuccess(await this.projects.move(undefined, { projectId, apiKeyId, to: 'in' }));
  }

  @Delete('projects/:projectId/api-keys/:apiKeyId')
  @AllowCallers('gateway')
  async release(
    @CurrentAccount() caller: AccountAssertion,
    @Param('projectId') projectId: string,
    @Param('apiKeyId') apiKeyId: string,
  ): Promise<ApiResponse<MovedKey>> {
    requireAdmin(caller);
    return apiSuccess(await this.projects.move(undefined, { projectId, apiKeyId, to: 'out' }));
  }
}
