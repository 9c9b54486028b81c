import {
  internalHeaders,
  negotiateLanguage,
  type AccountAssertion,
  type CapabilityContract,
} from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import {
  AllowCallers,
  CONFIG,
  CurrentAccount,
  isOneLine,
  namesEtag,
  notDelegated,
  POOL,
  RemainingCredits,
  requireDelegated,
  requireValid,
} from '@capability-router/service-kit';
import { Controller, Get, Headers, Inject, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type pg from 'pg';
import type { CapabilityRoutingConfig } from '../config.js';
import { findContract } from '../contracts/capabilities.js';
import { findDeclaration } from '../declared/declared-capabilities.sql.js';
import { CapabilityDetailQuery } from './capability-detail.query.js';
import { KnownTools } from '../tool-copies/known-tools.js';
import { VerificationCopy } from '../verifications/verification-copy.js';
import { toCapabilityDetail, toDeclaredDetail, type CapabilityDetail } from './capability-detail.js';
import { standingOf } from './capability-standing.js';

/** Characters. */
const MAX_CAPABILITY_ID_LENGTH = 200;
const NOT_MODIFIED = 304;
const notBlank = /^.*\S/u;

@Controller()
export class CapabilityDetailController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(RemainingCredits) private readonly credits: RemainingCredits,
    @Inject(CONFIG) private readonly config: CapabilityRoutingConfig,
    @Inject(VerificationCopy) private readonly verifications: VerificationCopy,
    @Inject(KnownTools) private readonly tools: KnownTools,
  ) {}

  /**
   * The current published contract, or what is known of an id that only tools declare. 422 for what cannot be an id, 404 for what is none,
   * 402 while the account is blocked; 403 where a delegation token is for another run, provider or tool;
   * 304 without a body only for whoever names the `ETag` of the contract in `If-None-Match`.
   */
  @Get('api/v1/capabilities/:capabilityId')
  @AllowCallers('gateway')
  async detail(
    @Param('capabilityId') capabilityId: string,
    @Query('run_id') runId: unknown,
    @Query('provider_id') providerId: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
    @CurrentAccount() account: AccountAssertion,
    @Headers(internalHeaders.accountAssertion) assertion: string | undefined,
    @Headers('accept-language') acceptLanguage: string | undefined,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
  ): Promise<CapabilityDetail | undefined> {
    if (!isOneLine(capabilityId, MAX_CAPABILITY_ID_LENGTH) || !notBlank.test(capabilityId)) {
      const msg = 'capability_id must be 1 to 200 characters, not blank and without control characters';
      const allowed = { type: 'string', minLength: 1, maxLength: MAX_CAPABILITY_ID_LENGTH, pattern: notBlank.source };
      const detail = { type: 'string_pattern_mismatch', loc: ['path', 'capability_id'], msg, allowed };
      throw new AppError('validation_error', msg, { details: [detail] });
    }
    if (account.accountStatus === 'payment_required') throw new AppError('payment_required');
    requireValid(CapabilityDetailQuery, { run_id: runId, provider_id: providerId }, { location: 'query' });
    requireDelegated(account, { runId, providerId });
    const { credits, pool } = this;
    const remainingCredits = credits.ask(account.accountId, assertion).within(this.config.remainingCreditsBudgetMs);
    const language = negotiateLanguage(undefined, acceptLanguage);
    const contract = await findContract(pool, capabilityId);
    requireDelegatedTool(account, contract);
    if (contract !== undefined) {
      // Weak, and of the contract alone: what the account has left and how its tools stand come with the body, and are no part of it.
      const etag = `W/"${contract.schemaHash}-${language}"`;
      void reply.headers({ etag, vary: 'accept-language' });
      if (namesEtag(ifNoneMatch, etag)) {
        void reply.status(NOT_MODIFIED);
        return undefined;
      }
      const tools = await this.tools.of(contract.candidates.map(({ toolId }) => toolId));
      const standing = standingOf(contract, tools, this.verifications, account.region);
      return toCapabilityDetail(contract, language, standing, await remainingCredits);
    }
    const declaredBy = await findDeclaration(pool, capabilityId);
    if (declaredBy === undefined) {
      throw new AppError('not_found', `There is no capability "${capabilityId}". Search for tools instead.`);
    }
    return toDeclaredDetail(capabilityId, declaredBy, language, await remainingCredits);
  }
}

/** A capability that no tool serves which the token names is of no use to its holder. */
function requireDelegatedTool({ delegation }: AccountAssertion, contract: CapabilityContract | undefined): void {
  const toolIds = delegation?.toolIds;
  if (toolIds === undefined || contract === undefined) return;
  if (!contract.candidates.some(({ toolId }) => toolIds.includes(toolId))) throw notDelegated('tool_ids');
}
