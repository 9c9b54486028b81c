import { internalHeaders, negotiateLanguage, type AccountAssertion } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';
import {
  AllowCallers,
  CONFIG,
  CurrentAccount,
  isOneLine,
  POOL,
  RemainingCredits,
} from '@capability-router/service-kit';
import { Controller, Get, Headers, Inject, Param } from '@nestjs/common';
import type pg from 'pg';
import type { CapabilityRoutingConfig } from '../config.js';
import { findContract } from '../contracts/capabilities.js';
import { findDeclaration } from '../declared/declared-capabilities.sql.js';
import { toCapabilityDetail, toDeclaredDetail, type CapabilityDetail } from './capability-detail.js';

/** Characters. */
const MAX_CAPABILITY_ID_LENGTH = 200;
const notBlank = /^.*\S/u;

@Controller()
export class CapabilityDetailController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(RemainingCredits) private readonly credits: RemainingCredits,
    @Inject(CONFIG) private readonly config: CapabilityRoutingConfig,
  ) {}

  /** The current published contract, or what is known of an id that only tools declare. 422 for what cannot be an id, 404 for what is none. */
  @Get('api/v1/capabilities/:capabilityId')
  @AllowCallers('gateway')
  async detail(
    @Param('capabilityId') capabilityId: string,
    @CurrentAccount() account: AccountAssertion,
    @Headers(internalHeaders.accountAssertion) assertion: string | undefined,
    @Headers('accept-language') acceptLanguage: string | undefined,
  ): Promise<CapabilityDetail> {
    if (!isOneLine(capabilityId, MAX_CAPABILITY_ID_LENGTH) || !notBlank.test(capabilityId)) {
      const msg = 'capability_id must be 1 to 200 characters, not blank and without control characters';
      const detail = { type: 'string_pattern_mismatch', loc: ['path', 'capability_id'], msg };
      throw new AppError('validation_error', msg, { details: [detail] });
    }
    const { credits, pool } = this;
    const remainingCredits = credits.ask(account.accountId, assertion).within(this.config.remainingCreditsBudgetMs);
    const language = negotiateLanguage(undefined, acceptLanguage);
    const contract = await findContract(pool, capabilityId);
    if (contract !== undefined) return toCapabilityDetail(contract, language, await remainingCredits);
    const declaredBy = await findDeclaration(pool, capabilityId);
    if (declaredBy === undefined) {
      throw new AppError('not_found', `There is no capability "${capabilityId}". Search for tools instead.`);
    }
    return toDeclaredDetail(capabilityId, declaredBy, language, await remainingCredits);
  }
}
