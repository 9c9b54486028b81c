import type { Clock } from '@capability-router/kernel';
import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import { BILLING_CLOCK, BILLING_CONFIG, BILLING_POOL } from '../tokens.js';
import { expireGrants } from './expire-grants.js';

@Injectable()
export class ExpiryTask {
  constructor(
    @Inject(BILLING_POOL) private readonly pool: pg.Pool,
    @Inject(BILLING_CLOCK) private readonly clock: Clock,
    @Inject(BILLING_CONFIG) private readonly config: BillingConfig,
  ) {}

  @Periodic<ExpiryTask>({ name: 'expiry of grants', everyMs: ({ config }) => config.grantExpiryIntervalMs })
  async expire(): Promise<void> {
    await expireGrants(this.pool, this.clock);
  }
}
