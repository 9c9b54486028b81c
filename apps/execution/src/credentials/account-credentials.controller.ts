import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, POOL, requireValid } from '@capability-router/service-kit';
import { Body, Controller, Delete, Get, Inject, Param, Put, Query } from '@nestjs/common';
import type pg from 'pg';
import { shownKinds, shownToOwner } from './credential-answers.js';
import { CredentialStore } from './credential-store.js';
import { CredentialPageQuery } from './credentials.requests.js';
import { PublishedAccess, requireProviderId } from './published-access.js';
import { requireFields } from './require-fields.js';
import { findCredential, listCredentials } from './stored-credentials.js';

/** The credentials that an account has set for providers which are called with the account's own. */
@Controller('api/v1/auth/provider-credentials')
export class AccountCredentialsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CredentialStore) private readonly store: CredentialStore,
    @Inject(PublishedAccess) private readonly access: PublishedAccess,
  ) {}

  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() query: unknown,
  ): Promise<ApiResponse<JsonObject>> {
    const { limit, after = '' } = requireValid(CredentialPageQuery, query, { location: 'query' });
    const found = await listCredentials(this.pool, accountId, after, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return apiSuccess({
      items: page.map((sealed) => ({ provider_id: sealed.providerId, fields: shownToOwner(sealed) })),
      ...(last === undefined ? {} : { next_after: last.providerId }),
    });
  }

  /** Replaces all fields. 409 where the deployment's own credentials are used. */
  @Put(':providerId')
  @AllowCallers('gateway')
  async set(
    @CurrentAccount() caller: AccountAssertion,
    @Param('providerId') providerId: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<JsonObject>> {
    requireApiKey(caller);
    const { accountId } = caller;
    const access = await this.access.require(providerId);
    if (access.credential !== 'account') {
      throw new AppError('conflict', `"${providerId}" is not called with credentials of accounts: none are needed.`);
    }
    const fields = requireFields(access, body);
    const sealed = await this.store.set({ ownerId: accountId, providerId }, fields, accountId);
    return apiSuccess({ provider_id: providerId, fields: shownToOwner(sealed) });
  }

  @Get(':providerId')
  @AllowCallers('gateway')
  async get(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Param('providerId') providerId: string,
  ): Promise<ApiResponse<JsonObject>> {
    const access = await this.access.find(providerId);
    const sealed = await findCredential(this.pool, { ownerId: accountId, providerId });
    if (access?.credential !== 'account' && sealed === undefined) throw new AppError('not_found');
    return apiSuccess({
      provider_id: providerId,
      ...(access === undefined ? {} : { accepts: shownKinds(access) }),
      fields: shownToOwner(sealed),
    });
  }

  /** Repeating it does no harm. */
  @Delete(':providerId')
  @AllowCallers('gateway')
  async remove(
    @CurrentAccount() caller: AccountAssertion,
    @Param('providerId') providerId: string,
  ): Promise<ApiResponse<JsonObject>> {
    requireApiKey(caller);
    const { accountId } = caller;
    const key = { ownerId: accountId, providerId: requireProviderId(providerId) };
    const deleted = await this.store.remove(key, accountId);
    return apiSuccess({ provider_id: providerId, deleted });
  }
}

/** A token that was handed on for some work must not decide whose credentials the account's calls carry. */
function requireApiKey({ credentialType }: AccountAssertion): void {
  if (credentialType !== 'api_key') throw new AppError('forbidden', 'Use an API key of the account for this.');
}
