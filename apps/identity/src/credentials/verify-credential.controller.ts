import type { VerifyCredentialResponse } from '@capability-router/contracts';
import { AppError, isJsonObject, isTokenText, type Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CONFIG, POOL } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type pg from 'pg';
import type { IdentityConfig } from '../config.js';
import { KeyUsesTask } from '../api-keys/key-uses.task.js';
import { verifyCredential } from '../api-keys/verify-credential.js';
import { ExternalCredentials } from '../external-issuers/external-credentials.js';
import { ExternalTokens } from '../external-issuers/external-tokens.js';
import { AccessTokens } from '../tokens/access-tokens.js';

@Controller()
export class VerifyCredentialController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
    @Inject(AccessTokens) private readonly tokens: AccessTokens,
    @Inject(ExternalTokens) private readonly externalTokens: ExternalTokens,
    @Inject(ExternalCredentials) private readonly external: ExternalCredentials,
    @Inject(KeyUsesTask) private readonly uses: KeyUsesTask,
  ) {}

  /** The gateway asks once per credential and keeps the answer until it is evicted or half a minute old. */
  // The router takes `::` for a literal colon.
  @Post('internal/credentials::verify')
  @HttpCode(200)
  @AllowCallers('gateway')
  async verify(@Body() body: unknown): Promise<VerifyCredentialResponse> {
    const credential = isJsonObject(body) ? body['credential'] : undefined;
    if (typeof credential !== 'string') throw new AppError('validation_error', '`credential` must be a string');
    if (isTokenText(credential)) {
      const owner = this.externalTokens.areOf(credential) ? this.external : this.tokens;
      return owner.verifyCredential(credential);
    }
    const nowMs = this.clock.nowMs();
    const verified = await verifyCredential(this.pool, credential, this.config.policy, nowMs);
    if (verified.valid && verified.assertion.apiKeyId !== undefined) this.uses.used(verified.assertion.apiKeyId, nowMs);
    return verified;
  }
}
