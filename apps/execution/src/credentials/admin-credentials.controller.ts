import { apiSuccess, type AccountAssertion, type ApiResponse } from '@capability-router/contracts';
import { AppError, type JsonObject } from '@capability-router/kernel';
import { AllowCallers, CurrentAccount, LOGGER, POOL, requireAdmin, requireValid } from '@capability-router/service-kit';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { shownFields, shownKinds } from './credential-answers.js';
import { CredentialStore } from './credential-store.js';
import { countByKey } from './credentials.sql.js';
import { CredentialPageQuery, RotateRequest } from './credentials.requests.js';
import { PublishedAccess, requireProviderId } from './published-access.js';
import { requireFields } from './require-fields.js';
import { CredentialRotation, parsePosition, positionText, ROTATION_START } from './rotate-credentials.js';
import { DEPLOYMENT, findCredential, listCredentials, type CredentialKey } from './stored-credentials.js';

const ofDeployment = (providerId: string): CredentialKey => ({ ownerId: DEPLOYMENT, providerId });

/** The deployment's credentials for providers, by operators. */
@Controller('admin/v1')
export class AdminCredentialsController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CredentialStore) private readonly store: CredentialStore,
    @Inject(PublishedAccess) private readonly access: PublishedAccess,
    @Inject(CredentialRotation) private readonly rotation: CredentialRotation,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Replaces all fields. 404 for a provider without published tools, 409 where accounts bring their own. */
  @Put('providers/:providerId/credentials')
  @AllowCallers('gateway')
  async set(
    @CurrentAccount() caller: AccountAssertion,
    @Param('providerId') providerId: string,
    @Body() body: unknown,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const access = await this.access.require(providerId);
    if (access.credential === 'account') {
      throw new AppError('conflict', `"${providerId}" is called with the credentials of each account, not with these.`);
    }
    const fields = requireFields(access, body);
    const sealed = await this.store.set(ofDeployment(providerId), fields, caller.accountId);
    return apiSuccess({ provider_id: providerId, fields: shownFields(sealed) });
  }

  @Get('providers/:providerId/credentials')
  @AllowCallers('gateway')
  async get(
    @CurrentAccount() caller: AccountAssertion,
    @Param('providerId') providerId: string,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const access = await this.access.find(providerId);
    const sealed = await findCredential(this.pool, ofDeployment(providerId));
    if (access === undefined && sealed === undefined) throw new AppError('not_found');
    return apiSuccess({
      provider_id: providerId,
      ...(access === undefined ? {} : { credential: access.credential, accepts: shownKinds(access) }),
      fields: shownFields(sealed),
    });
  }

  /** Repeating it does no harm. */
  @Delete('providers/:providerId/credentials')
  @AllowCallers('gateway')
  async remove(
    @CurrentAccount() caller: AccountAssertion,
    @Param('providerId') providerId: string,
  ): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const deleted = await this.store.remove(ofDeployment(requireProviderId(providerId)), caller.accountId);
    return apiSuccess({ provider_id: providerId, deleted });
  }

  /** The deployment's; and by which keys everything is sealed, that of accounts included. */
  @Get('provider-credentials')
  @AllowCallers('gateway')
  async list(@CurrentAccount() caller: AccountAssertion, @Query() query: unknown): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const { limit, after = '' } = requireValid(CredentialPageQuery, query, { location: 'query' });
    const { pool, store } = this;
    const found = await listCredentials(pool, DEPLOYMENT, after, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const sealedWith = (await countByKey(pool)).map(({ keyId, count }) => ({
      key_id: keyId,
      credentials: count,
      known: store.keys.find(keyId) !== undefined,
    }));
    return apiSuccess({
      items: page.map((sealed) => ({ provider_id: sealed.providerId, fields: shownFields(sealed) })),
      current_key_id: store.keys.currentId,
      sealed_with: sealedWith,
      ...(last === undefined ? {} : { next_after: last.providerId }),
    });
  }

  /** Seals anew, with the current key, what is sealed with another; `next_after` asks to go on. */
  @Post('provider-credentials::rotate')
  @HttpCode(200)
  @AllowCallers('gateway')
  async rotate(@CurrentAccount() caller: AccountAssertion, @Body() body: unknown): Promise<ApiResponse<JsonObject>> {
    requireAdmin(caller);
    const { after } = requireValid(RotateRequest, body ?? {});
    const { keys } = this.store;
    const from = after === undefined || after === null ? ROTATION_START : parsePosition(after);
    const { resealed, unreadable, unreadableCount, next } = await this.rotation.rotate(from);
    this.logger.info(
      { resealed, unreadableCount, keyId: keys.currentId, by: caller.accountId },
      'credentials were re-sealed',
    );
    return apiSuccess({
      current_key_id: keys.currentId,
      resealed,
      unreadable_count: unreadableCount,
      unreadable: unreadable.map((one) => ({
        owner: one.ownerId,
        provider_id: one.providerId,
        key_id: one.keyId,
        reason: one.reason,
      })),
      ...(next === undefined ? {} : { next_after: positionText(next) }),
    });
  }
}
