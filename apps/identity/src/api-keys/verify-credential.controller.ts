import type { VerifyCredentialResponse } from '@capability-router/contracts';
import { AppError, isJsonObject, type Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, CONFIG, POOL } from '@capability-router/service-kit';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type pg from 'pg';
import type { IdentityConfig } from '../config.js';
import { verifyCredential } from './verify-credential.js';

@Controller()
export class VerifyCredentialController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  /** The gateway asks once per credential and keeps the answer until it is evicted or half a minute old. */
  // The router takes `::` for a literal colon.
  @Post('internal/credentials::verify')
  @HttpCode(200)
  @AllowCallers('gateway')
  verify(@Body() body: unknown): Promise<VerifyCredentialResponse> {
    const credential = isJsonObject(body) ? body['credential'] : undefined;
    if (typeof credential !== 'string') throw new AppError('validation_error', '`credential` must be a string');
    return verifyCredential(this.pool, credential, this.config.policy, this.clock.nowMs());
  }
}
