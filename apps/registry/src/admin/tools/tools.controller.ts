import { apiSuccess, type AccountAssertion, type ApiResponse, type ToolManifest } from '@capability-router/contracts';
import { AppError, isToolId, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  COMMITTED,
  CurrentAccount,
  POOL,
  requireAdmin,
  requireValid,
} from '@capability-router/service-kit';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type pg from 'pg';
import { changeToolStatus, toolActions } from '../../catalogue/change-status.js';
import { findProposal, readProposalsPage } from '../../catalogue/proposals.sql.js';
import { readContracts } from '../../catalogue/tools.sql.js';
import { findTool, findVersion, listTools, listVersions } from './list-tools.sql.js';
import { ListToolsQuery } from './page.query.js';
import { diffAnswer, listedProposal, listedTool, toolAnswer } from './tool-answers.js';
import { ToolActionRequest } from './tool-action.request.js';

@Controller('admin/v1/tools')
export class ToolsController {
  /** `committed`: to be called after a commit, so that readers of the events look at once. */
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  /** Tools of one status, in the order of their ids: `published`, `retired`, or what waits. */
  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion, @Query() query: unknown): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const {
      status,
      provider_id: providerId,
      limit,
      after = '',
    } = requireValid(ListToolsQuery, query, { location: 'query' });
    const { pool } = this;
    if (status === 'published' || status === 'retired') {
      const { tools, next } = await listTools(pool, { status, providerId, after, limit });
      return apiSuccess({ items: tools.map(listedTool), ...(next === undefined ? {} : { next_after: next }) });
    }
    const proposals = await readProposalsPage(pool, { status, providerId, after, limit: limit + 1 });
    const page = proposals.slice(0, limit);
    const ids = page.map(({ toolId }) => toolId);
    const live = await readContracts(pool, ids);
    const items = page.map((proposal) => listedProposal(proposal, live.get(proposal.toolId)));
    return apiSuccess({ items, ...(proposals.length > limit ? { next_after: ids.at(-1) } : {}) });
  }

  @Get(':toolId')
  @AllowCallers('gateway')
  async get(@CurrentAccount() caller: AccountAssertion, @Param('toolId') toolId: string): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    if (!isToolId(toolId)) throw noTool();
    const { pool } = this;
    const [tool, proposal] = [await findTool(pool, toolId), await findProposal(pool, toolId)];
    if (tool === undefined && proposal === undefined) throw noTool();
    return apiSuccess(toolAnswer(toolId, tool, proposal, await listVersions(pool, toolId)));
  }

  /** The changes for callers from one version to another; `proposal` stands for the one that waits. */
  @Get(':toolId/versions/:from/diff/:to')
  @AllowCallers('gateway')
  async diff(
    @CurrentAccount() caller: AccountAssertion,
    @Param('toolId') toolId: string,
    @Param('from') from: string,
    @Param('to') to: string,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const [before, after] = [await this.contractAt(toolId, from), await this.contractAt(toolId, to)];
    return apiSuccess({ tool_id: toolId, from, to, ...diffAnswer(before, after) });
  }

  /** `{tool_id}:publish`, `:approve`, `:reject`, `:retire`, `:restore`. Repeating one changes nothing. */
  @Post(':toolIdAndAction')
  @HttpCode(200)
  @AllowCallers('gateway')
  async act(
    @CurrentAccount() caller: AccountAssertion,
    @Param('toolIdAndAction') target: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const [toolId = '', name = '', ...rest] = target.split(':');
    const action = toolActions.find((known) => known === name);
    if (action === undefined || rest.length > 0) {
      const known = toolActions.map((each) => `:${each}`).join(', ');
      throw new AppError('not_found', `There is no such action. A tool id is followed by one of: ${known}.`);
    }
    if (!isToolId(toolId)) throw noTool();
    const { schema_hash: schemaHash } = requireValid(ToolActionRequest, body ?? {});
    const { pool, clock } = this;
    const outcome = await changeToolStatus(pool, clock, {
      toolId,
      action,
      ...(schemaHash == null ? {} : { schemaHash }),
    });
    if (outcome.result === 'unknown_tool') throw noTool();
    if (outcome.result === 'conflict') throw new AppError('conflict', outcome.message);
    this.committed();
    const { status, version } = outcome;
    const changed = outcome.result === 'done';
    return apiSuccess({ tool_id: toolId, status, ...(version === undefined ? {} : { version }), changed });
  }

  private async contractAt(toolId: string, version: string): Promise<ToolManifest> {
    const { pool } = this;
    const contract = !isToolId(toolId)
      ? undefined
      : version === 'proposal'
        ? (await findProposal(pool, toolId))?.manifest
        : /^[1-9]\d{0,8}$/.test(version)
          ? await findVersion(pool, toolId, Number(version))
          : undefined;
    if (contract === undefined) {
      const what = version === 'proposal' ? 'Nothing waits for a decision about this tool' : 'There is no such version';
      throw new AppError('not_found', `${what}. GET /admin/v1/tools/{tool_id} has its versions and what waits.`);
    }
    return contract;
  }
}

const noTool = (): AppError =>
  new AppError(
    'not_found',
    'The catalogue has no tool with the id in the path. GET /admin/v1/tools lists them; a new tool comes with its provider or an import.',
  );
