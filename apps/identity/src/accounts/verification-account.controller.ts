import type { OpenVerificationAccountResponse } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { AllowCallers, CLOCK, COMMITTED, POOL } from '@capability-router/service-kit';
import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import type pg from 'pg';
import { openVerificationAccount } from './open-verification-account.js';

/** The deployment's own account, on which the registry verifies tools. */
@Controller()
export class VerificationAccountController {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  // The router takes `::` for a literal colon.
  @Post('internal/verification-account::open')
  @HttpCode(200)
  @AllowCallers('registry')
  async open(): Promise<OpenVerificationAccountResponse> {
    const opened = await openVerificationAccount(this.pool, this.clock);
    if (opened) this.committed();
    return { opened };
  }
}
