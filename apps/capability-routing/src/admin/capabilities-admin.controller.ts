import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type Clock } from '@capability-router/kernel';
import { readDocument, YamlPool } from '@capability-router/provider-kit/documents';
import {
  accountOf,
  AllowCallers,
  CLOCK,
  COMMITTED,
  LOGGER,
  messageOfDetails,
  POOL,
  requireAdmin,
  requireValid,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { Body, Controller, Get, HttpCode, Inject, Param, Post, Put, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Expressions } from '../expressions/expressions.js';
import { CapabilityIndex } from '../resolution/capability-index.js';
import { listContracts } from '../contracts/capabilities.js';
import { capabilityActions, changeCapabilityStatus } from '../contracts/change-status.js';
import { listedCapability, takenAnswer } from './admin-answers.js';
import { applyCapabilities } from './apply-capabilities.js';
import { ListCapabilitiesQuery, WriteQuery } from './capabilities.query.js';
import { CapabilityActionRequest } from './capability-action.request.js';
import { MAX_CAPABILITY_VALUES, readCapability } from './manifest/read-capability.js';

@Controller('admin/v1/capabilities')
export class CapabilitiesAdminController {
  /** `committed`: to be called after a commit, so that readers of the events look at once. */
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: ServiceRuntime['logger'],
    @Inject(COMMITTED) private readonly committed: () => void,
    @Inject(YamlPool) private readonly yaml: YamlPool,
    @Inject(CapabilityIndex) private readonly index: CapabilityIndex,
    @Inject(Expressions) private readonly expressions: Expressions,
  ) {}

  /** Contracts of one status, in the order of their ids. */
  @Get()
  @AllowCallers('gateway')
  async list(@Req() request: FastifyRequest, @Query() query: unknown): Promise<ApiResponse<object>> {
    requireAdmin(accountOf(request));
    const { status, limit, after = '' } = requireValid(ListCapabilitiesQuery, query, { location: 'query' });
    const found = await listContracts(this.pool, { retired: status === 'retired', after, limit: limit + 1 });
    const items = found.slice(0, limit);
    const next = found.length > limit ? { next_after: items.at(-1)?.capabilityId } : {};
    return apiSuccess({ items: items.map(listedCapability), ...next });
  }

  /** The whole contract, as JSON or YAML. 409 where it is another one than was looked at, is retired, or would break callers and may not. */
  @Put(':capabilityId')
  @AllowCallers('gateway')
  async put(
    @Req() request: FastifyRequest,
    @Param('capabilityId') capabilityId: string,
    @Query() query: unknown,
    @Body() body: unknown,
  ): Promise<ApiResponse<object>> {
    const account = accountOf(request);
    requireAdmin(account);
    const { dry_run, allow_breaking } = requireValid(WriteQuery, query, { location: 'query' });
    const document = await readDocument(body, MAX_CAPABILITY_VALUES, this.yaml);
    const read = readCapability(document, ['body'], capabilityId);
    if (!read.ok) throw invalid(read.error);
    const { pool, clock, expressions } = this;
    const dryRun = dry_run === 'true';
    const options = { dryRun, allowBreaking: allow_breaking === 'true' };
    const [outcome] = await applyCapabilities(pool, clock, expressions, [read.value], options);
    if (outcome === undefined) throw new Error('a contract has no outcome');
    if (outcome.result === 'invalid') {
      throw invalid(outcome.details.map((detail) => ({ ...detail, loc: ['body', ...detail.loc] })));
    }
    if (outcome.result === 'refused') {
      const { message, details } = outcome;
      throw new AppError('conflict', `${message}.`, details === undefined ? {} : { details });
    }
    if (!dryRun && outcome.result !== 'unchanged') await this.done(account, capabilityId, outcome.result);
    return apiSuccess({ capability_id: capabilityId, dry_run: dryRun, ...takenAnswer(outcome) });
  }

  /** `{capability_id}:retire`, `:restore`. Repeating one changes nothing. */
  @Post(':capabilityIdAndAction')
  @HttpCode(200)
  @AllowCallers('gateway')
  async act(
    @Req() request: FastifyRequest,
    @Param('capabilityIdAndAction') target: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<object>> {
    const account = accountOf(request);
    requireAdmin(account);
    const [capabilityId = '', name = '', ...rest] = target.split(':');
    const action = capabilityActions.find((known) => known === name);
    if (action === undefined || rest.length > 0) {
      const known = capabilityActions.map((each) => `:${each}`).join(', ');
      throw new AppError('not_found', `There is no such action. A capability id is followed by one of: ${known}.`);
    }
    const { schema_hash: schemaHash } = requireValid(CapabilityActionRequest, body ?? {});
    // The database holds no text with a zero character in it, and refuses to look for one.
    if (capabilityId.includes('\u0000')) throw noContract();
    const command = { capabilityId, action, schemaHash: schemaHash ?? undefined };
    const outcome = await changeCapabilityStatus(this.pool, this.clock, command);
    if (outcome.result === 'unknown_capability') throw noContract();
    if (outcome.result === 'conflict') {
      const message = `The contract has changed: it has schema_hash "${outcome.schemaHash}" by now. Look at it first.`;
      throw new AppError('conflict', message);
    }
    const changed = outcome.result === 'done';
    if (changed) await this.done(account, capabilityId, action);
    const status = action === 'retire' ? 'retired' : 'published';
    return apiSuccess({ capability_id: capabilityId, status, contract_version: outcome.contractVersion, changed });
  }

  /** Who did it stands in the log; the event says what was done. Queries that come to this replica know it at once, as far as it can be read. */
  private async done({ accountId, apiKeyId }: AccountAssertion, capabilityId: string, action: string): Promise<void> {
    this.committed();
    await this.index.refresh().catch((err: unknown) => this.logger.warn({ err }, 'the contracts in memory are late'));
    this.logger.info({ capabilityId, action, accountId, apiKeyId }, 'an administrator changed a contract');
  }
}

const invalid = (details: Parameters<typeof messageOfDetails>[0]): AppError =>
  new AppError('validation_error', messageOfDetails(details), { details });

const noContract = (): AppError =>
  new AppError(
    'not_found',
    'There is no capability with a contract and the id in the path. GET /admin/v1/capabilities lists them; PUT one there to add it.',
  );
