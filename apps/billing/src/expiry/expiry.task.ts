import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import { expireGrants } from './expire-grants.js';

@Injectable()
export class ExpiryTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  @Periodic<ExpiryTask>({ name: 'expiry of grants', everyMs: ({ config }) => config.grantExpiryIntervalMs })
  async expire(): Promise<void> {
    await expireGrants(this.pool, this.clock);
  }
}
