import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, requireValid } from '@capability-router/service-kit';
import { Body, Controller, Delete, Get, Inject, Param, Put, Query } from '@nestjs/common';
import { shownKinds, shownToOwner } from './credential-answers.js';
import {
  findAccess,
  requireAccess,
  requireFields,
  requireProviderId,
  CredentialsContext,
} from './credentials-context.js';
import { findCredential, listCredentials } from './stored-credentials.js';
import { CredentialPageQuery } from './credentials.requests.js';

/** What an account has set for providers that are called with the account's own credentials. */
@Controller('api/v1/auth/provider-credentials')
export class AccountCredentialsController {
  constructor(@Inject(CredentialsContext) private readonly context: CredentialsContext) {}

  @Get()
  @AllowCallers('gateway')
  async list(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Query() query: unknown,
  ): Promise<ApiResponse<JsonObject>> {
    const { limit, after = '' } = requireValid(CredentialPageQuery, query, { location: 'query' });
    const found = await listCredentials(this.context.pool, accountId, after, limit + 1);
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
    const access = requireAccess(this.context, providerId);
    if (access.credential !== 'account') {
      throw new AppError('conflict', `"${providerId}" is not called with credentials of accounts: none are needed.`);
    }
    const fields = requireFields(access, body);
    const sealed = await this.context.store.set({ ownerId: accountId, providerId }, fields, accountId);
    return apiSuccess({ provider_id: providerId, fields: shownToOwner(sealed) });
  }

  @Get(':providerId')
  @AllowCallers('gateway')
  async get(
    @CurrentAccount() { accountId }: AccountAssertion,
    @Param('providerId') providerId: string,
  ): Promise<ApiResponse<JsonObject>> {
    const access = findAccess(this.context, providerId);
    const sealed = await findCredential(this.context.pool, { ownerId: accountId, providerId });
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
    const deleted = await this.context.store.remove(key, accountId);
    return apiSuccess({ provider_id: providerId, deleted });
  }
}

/** A token that was handed on for some work must not decide whose credentials the account's calls carry. */
function requireApiKey({ credentialType }: AccountAssertion): void {
  if (credentialType !== 'api_key') throw new AppError('forbidden', 'Use an API key of the account for this.');
}
