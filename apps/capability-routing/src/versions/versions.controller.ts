import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, POOL, requireAdmin } from '@capability-router/service-kit';
import { Controller, Get, Inject, Param } from '@nestjs/common';
import type pg from 'pg';
import { judgeBindings } from '../bindings/judge-bindings.js';
import { makeExamples } from '../bindings/made-examples.js';
import { findCapability } from '../contracts/capabilities.js';
import { Expressions } from '../expressions/expressions.js';
import { findPublishedTools } from '../tool-copies/tool-copies.js';
import { readVersions, type PublishedContract } from './capability-versions.js';
import { diffCapabilities } from './domain/diff-capabilities.js';
import { capabilityAnswer, versionAnswer } from './version-answers.js';

/** Contracts of capabilities, all that there have been, for administrators. */
@Controller('admin/v1/capabilities')
export class VersionsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(Expressions) private readonly expressions: Expressions,
  ) {}

  /** The contract with its mappings, whether its bindings fit the tools as they are now, and its versions, the newest first. */
  @Get(':capabilityId')
  @AllowCallers('gateway')
  async get(
    @CurrentAccount() caller: AccountAssertion,
    @Param('capabilityId') capabilityId: string,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const versions = await this.versionsOf(capabilityId);
    const { contract } = versions.at(-1) ?? {};
    const toolIds = contract?.candidates.map(({ toolId }) => toolId) ?? [];
    const tools = await findPublishedTools(this.pool, toolIds);
    const bindings =
      contract === undefined ? [] : judgeBindings(contract, tools, await makeExamples(this.expressions, [contract]));
    return apiSuccess(capabilityAnswer(versions, bindings, await findCapability(this.pool, capabilityId)));
  }

  /** The contract as it was in one version. */
  @Get(':capabilityId/versions/:version')
  @AllowCallers('gateway')
  async version(
    @CurrentAccount() caller: AccountAssertion,
    @Param('capabilityId') capabilityId: string,
    @Param('version') version: string,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    return apiSuccess(versionAnswer(find(await this.versionsOf(capabilityId), version)));
  }

  /** The changes for callers from one version to another. */
  @Get(':capabilityId/versions/:from/diff/:to')
  @AllowCallers('gateway')
  async diff(
    @CurrentAccount() caller: AccountAssertion,
    @Param('capabilityId') capabilityId: string,
    @Param('from') from: string,
    @Param('to') to: string,
  ): Promise<ApiResponse<object>> {
    requireAdmin(caller);
    const versions = await this.versionsOf(capabilityId);
    const [before, after] = [find(versions, from).contract, find(versions, to).contract];
    const { breaking, changes, truncated } = diffCapabilities(before, after);
    return apiSuccess({
      capability_id: capabilityId,
      from: before.contractVersion,
      to: after.contractVersion,
      breaking,
      changes,
      ...(truncated ? { truncated } : {}),
    });
  }

  private async versionsOf(capabilityId: string): Promise<PublishedContract[]> {
    // The database holds no text with a zero character in it, and refuses to look for one.
    const versions = capabilityId.includes('\u0000') ? [] : await readVersions(this.pool, capabilityId);
    if (versions.length === 0) throw noContract();
    return versions;
  }
}

function find(versions: readonly PublishedContract[], version: string): PublishedContract {
  const found = versions.find(({ contract }) => String(contract.contractVersion) === version);
  if (found !== undefined) return found;
  throw new AppError(
    'not_found',
    'The capability has no such version. GET /admin/v1/capabilities/{capability_id} lists its versions.',
  );
}

const noContract = (): AppError =>
  new AppError(
    'not_found',
    'There is no capability with a contract and the id in the path. GET /api/v1/capabilities lists them.',
  );
