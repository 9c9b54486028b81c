import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, canonicalUuid, isAccountId, toIso, type Clock } from '@capability-router/kernel';
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
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import type pg from 'pg';
import { awaitChange } from '../evictions/await-change.js';
import { awaitEviction } from '../evictions/await-eviction.js';
import {
  budgetFacts,
  issueRefusal,
  toIssuedKey,
  toKeyList,
  toNarrowedKeyList,
  type ChangedKey,
  type GrantedKey,
  type IssuedKey,
  type KeyList,
  type NarrowedKeyList,
  type RevokedKey,
} from './api-key.responses.js';
import { changeBudgets } from './change-budgets.js';
import { CreateApiKeyRequest } from './create-api-key.request.js';
import { expiryOf } from './expiry.js';
import { GrantScopesRequest } from './grant-scopes.request.js';
import { grantScopes } from './grant-scopes.js';
import { issueApiKey } from './issue-api-key.js';
import { budgetChangeOf, KeyBudgetsRequest } from './key-budgets.request.js';
import { KeyListQuery } from './key-pages.query.js';
import { listApiKeys } from './list-api-keys.sql.js';
import { NarrowedKeysQuery } from './narrowed-keys.query.js';
import { listNarrowedKeys } from './narrowed-keys.sql.js';
import { revokeApiKey } from './revoke-api-key.js';

/** The keys of accounts, for administrators. */
@Controller('admin/v1')
export class ApiKeysController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  @Post('accounts/:accountId/api-keys')
  @HttpCode(201)
  @AllowCallers('gateway')
  async issue(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<IssuedKey>> {
    requireAdmin(caller);
    if (!isAccountId(accountId)) throw new AppError('not_found');
    const request = requireValid(CreateApiKeyRequest, body);
    const { name } = request;
    const given = request.scopes ? { scopes: request.scopes } : {};
    const nowMs = this.clock.nowMs();
    const { key, session } = budgetChangeOf(request);
    const expiresAtMs = expiryOf(request.expires_at, nowMs);
    const end = expiresAtMs === undefined ? {} : { expiresAtMs };
    const budgets = { ...(key && { key }), ...(session && { session }) };
    const project = request.project_id ? { projectId: request.project_id } : {};
    const command = { accountId, name, ...given, ...end, budgets, ...project, askedBy: caller.apiKeyId, nowMs };
    const result = await inTransaction(this.pool, (tx) => issueApiKey(tx, command));
    if (result.status !== 'issued') throw issueRefusal(result.status);
    this.committed();
    return apiSuccess(toIssuedKey(result, command));
  }

  @Get('accounts/:accountId/api-keys')
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() caller: AccountAssertion,
    @Param('accountId') accountId: string,
    @Query() query: unknown,
  ): Promise<ApiResponse<KeyList>> {
    requireAdmin(caller);
    const { before } = requireValid(KeyListQuery, query, { location: 'query' });
    const list = isAccountId(accountId) ? await listApiKeys(this.pool, accountId, before) : undefined;
    if (list === undefined) throw new AppError('not_found');
    return apiSuccess(toKeyList(list));
  }

  /** Keys that can do less since scopes mean what they say; one that was granted a scope is not listed any more. */
  @Get('narrowed-api-keys')
  @AllowCallers('gateway')
  async listNarrowed(
    @CurrentAccount() caller: AccountAssertion,
    @Query() query: unknown,
  ): Promise<ApiResponse<NarrowedKeyList>> {
    requireAdmin(caller);
    const { limit, after } = requireValid(NarrowedKeysQuery, query, { location: 'query' });
    const keys = await listNarrowedKeys(this.pool, after, limit + 1);
    return apiSuccess(toNarrowedKeyList(keys, limit));
  }

  /** Gives the key scopes beside those that it has. Answers when requests to every living gateway have them, or `pending`. */
  @Post('api-keys/:apiKeyId/scopes')
  @HttpCode(200)
  @AllowCallers('gateway')
  async grantScopes(
    @CurrentAccount() caller: AccountAssertion,
    @Param('apiKeyId') named: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<GrantedKey>> {
    requireAdmin(caller);
    const apiKeyId = canonicalUuid(named);
    if (apiKeyId === undefined) throw new AppError('not_found');
    const { scopes } = requireValid(GrantScopesRequest, body);
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, (tx) => grantScopes(tx, apiKeyId, scopes, caller, nowMs));
    if (result.status === 'unknown_key') throw new AppError('not_found');
    if (result.status === 'key_revoked') throw new AppError('conflict', 'The key is revoked.');
    if (result.status === 'granted') this.committed();
    const { accountId, change } = result;
    const pending = await awaitChange(this.pool, change, nowMs);
    return apiSuccess({ api_key_id: apiKeyId, account_id: accountId, scopes: result.scopes, ...pending });
  }

  /** Sets or lifts what the key may spend. Answers when it holds for calls through every living gateway, or `pending`. */
  @Patch('api-keys/:apiKeyId')
  @AllowCallers('gateway')
  async changeBudgets(
    @CurrentAccount() caller: AccountAssertion,
    @Param('apiKeyId') named: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<ChangedKey>> {
    requireAdmin(caller);
    const apiKeyId = canonicalUuid(named);
    if (apiKeyId === undefined) throw new AppError('not_found');
    const wanted = budgetChangeOf(requireValid(KeyBudgetsRequest, body));
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, (tx) => changeBudgets(tx, apiKeyId, wanted, nowMs, caller.apiKeyId));
    if (result.status === 'unknown_key') throw new AppError('not_found');
    if (result.status === 'key_revoked') throw new AppError('conflict', 'The key is revoked.');
    if (result.status === 'changed') this.committed();
    const { accountId, budgets, change } = result;
    const pending = await awaitChange(this.pool, change, nowMs);
    return apiSuccess({ api_key_id: apiKeyId, account_id: accountId, ...budgetFacts(budgets), ...pending });
  }

  /**
   * Answers when every living replica of the gateway has evicted the key, or after a second with `pending`. Repeating it
   * answers as the first time did, and waits again.
   */
  @Delete('api-keys/:apiKeyId')
  @AllowCallers('gateway')
  async revoke(
    @CurrentAccount() caller: AccountAssertion,
    @Param('apiKeyId') named: string,
  ): Promise<ApiResponse<RevokedKey>> {
    requireAdmin(caller);
    const apiKeyId = canonicalUuid(named);
    if (apiKeyId === undefined) throw new AppError('not_found');
    const nowMs = this.clock.nowMs();
    const result = await inTransaction(this.pool, (tx) => revokeApiKey(tx, apiKeyId, nowMs));
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
