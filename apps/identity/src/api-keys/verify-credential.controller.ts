import type { VerifyCredentialResponse } from '@capability-router/contracts';
import { AppError, isJsonObject } from '@capability-router/kernel';
import { AllowCallers } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { IDENTITY } from '../context.js';
import type { IdentityContext } from '../context.js';
import { verifyCredential } from './verify-credential.js';

@Controller()
export class VerifyCredentialController {
  constructor(@Inject(IDENTITY) private readonly identity: IdentityContext) {}

  /** The gateway asks once per credential and keeps the answer until it is evicted or half a minute old. */
  // The router takes `::` for a literal colon.
  @Post('internal/credentials::verify')
  @HttpCode(200)
  @AllowCallers('gateway')
  verify(@Body() body: unknown): Promise<VerifyCredentialResponse> {
    const credential = isJsonObject(body) ? body['credential'] : undefined;
    if (typeof credential !== 'string') throw new AppError('validation_error', '`credential` must be a string');
    const { pool, clock, config } = this.identity;
    return verifyCredential(pool, credential, config.policy, clock.nowMs());
  }
}
