import type { Clock } from '@capability-router/kernel';
import { Periodic, type ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import type { BillingMetrics } from '../metrics.js';
import { BILLING_CLIENTS, BILLING_CLOCK, BILLING_CONFIG, BILLING_METRICS, BILLING_POOL } from '../tokens.js';
import { holdOwnersOf } from './hold-owners.js';
import { sweepHolds, type HoldOwners } from './hold-sweeper.js';

@Injectable()
export class HoldSweepTask {
  private readonly owners: HoldOwners;

  constructor(
    @Inject(BILLING_POOL) private readonly pool: pg.Pool,
    @Inject(BILLING_CLOCK) private readonly clock: Clock,
    @Inject(BILLING_CONFIG) private readonly config: BillingConfig,
    @Inject(BILLING_METRICS) private readonly metrics: BillingMetrics,
    @Inject(BILLING_CLIENTS) clients: ServiceClients,
  ) {
    this.owners = holdOwnersOf(clients);
  }

  @Periodic<HoldSweepTask>({ name: 'hold sweeper', everyMs: ({ config }) => config.holdSweepIntervalMs })
  async sweep(): Promise<void> {
    const options = { batchSize: this.config.holdSweepBatch, inquiryAgeMs: this.config.holdInquiryAgeMs };
    this.metrics.swept(await sweepHolds(this.pool, this.owners, this.clock, options));
  }
}
