import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, canonicalUuid, toIso, type Clock } from '@capability-router/kernel';
import {
  AllowCallers,
  CLOCK,
  COMMITTED,
  CurrentAccount,
  inTransaction,
  POOL,
  requireScope,
  requireValid,
} from '@capability-router/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import type pg from 'pg';
import { awaitEviction } from '../evictions/await-eviction.js';
import {
  issueRefusal,
  toIssuedKey,
  toOwnKeyList,
  type IssuedKey,
  type OwnKeyList,
  type RevokedKey,
} from './api-key.responses.js';
import { CreateOwnApiKeyRequest } from './create-api-key.request.js';
import { expiryOf } from './expiry.js';
import { findKeyOwner } from './find-key-owner.js';
import { issueApiKey } from './issue-api-key.js';
import { budgetChangeOf } from './key-budgets.request.js';
import { keyExpiry } from './key-expiry.js';
import { OwnKeysQuery } from './key-pages.query.js';
import { pageOfKeys } from './list-api-keys.sql.js';
import { requireApiKey, requireEndsNoLater, requireMayGive } from './may-give.js';
import { revokeApiKey } from './revoke-api-key.js';

/** The keys of the account that asks, by its keys with the scope `manage`. */
@Controller('api/v1/auth/api-keys')
export class OwnApiKeysController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion, @Query() query: unknown): Promise<ApiResponse<OwnKeyList>> {
    requireScope(caller, 'manage');
    const { limit, before } = requireValid(OwnKeysQuery, query, { location: 'query' });
    return apiSuccess(toOwnKeyList(await pageOfKeys(this.pool, caller.accountId, before, limit + 1), limit));
  }

  /** The new key can do no more than the one that asks, and ends no later. */
  @Post()
  @HttpCode(201)
  @AllowCallers('gateway')
  async issue(@CurrentAccount() caller: AccountAssertion, @Body() body: unknown): Promise<ApiResponse<IssuedKey>> {
    requireScope(caller, 'manage');
    const request = requireValid(CreateOwnApiKeyRequest, body);
    const { scopes } = request;
    const projectId = request.project_id ?? caller.projectId;
    requireMayGive(caller, scopes, projectId);
    const nowMs = this.clock.nowMs();
    const ownEndMs = await keyExpiry(this.pool, caller.apiKeyId);
    const expiresAtMs = expiryOf(request.expires_at, nowMs) ?? ownEndMs;
    requireEndsNoLater(expiresAtMs, ownEndMs);
    const { key, session } = budgetChangeOf(request);
    const command = {
      accountId: caller.accountId,
      name: request.name,
      scopes,
      ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
      ...(projectId === undefined ? {} : { projectId }),
      budgets: { ...(key && { key }), ...(session && { session }) },
      askedBy: caller.apiKeyId,
      nowMs,
    };
    const result = await inTransaction(this.pool, (tx) => issueApiKey(tx, command));
    if (result.status !== 'issued') throw issueRefusal(result.status);
    this.committed();
    return apiSuccess(toIssuedKey(result, command));
  }

  /** As revocations by administrators are answered. A key may end itself. */
  @Delete(':apiKeyId')
  @AllowCallers('gateway')
  async revoke(
    @CurrentAccount() caller: AccountAssertion,
    @Param('apiKeyId') named: string,
  ): Promise<ApiResponse<RevokedKey>> {
    requireScope(caller, 'manage');
    requireApiKey(caller);
    const apiKeyId = canonicalUuid(named);
    if (apiKeyId === undefined) throw new AppError('not_found');
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, async (tx) => {
      if ((await findKeyOwner(tx, apiKeyId)) !== caller.accountId) return { status: 'unknown_key' } as const;
      return revokeApiKey(tx, apiKeyId, nowMs);
    });
    if (result.status === 'unknown_key') throw new AppError('not_found');
    if (result.status === 'revoked') this.committed();
    const evicted = await awaitEviction(this.pool, apiKeyId, { revokedAtMs: result.revokedAtMs, nowMs });
    return apiSuccess({
      api_key_id: apiKeyId,
      account_id: result.accountId,
      revoked_at: toIso(result.revokedAtMs),
      ...(evicted ? {} : { pending: true as const }),
    });
  }
}
