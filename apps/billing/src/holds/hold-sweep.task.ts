import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, Periodic, POOL, type ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import { SERVICE_CLIENTS } from '../tokens.js';
import { holdOwnersOf } from './hold-owners.js';
import { sweepHolds, type HoldOwners } from './hold-sweeper.js';
import { SweepMetrics } from './sweep-metrics.js';

@Injectable()
export class HoldSweepTask {
  private readonly owners: HoldOwners;

  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BillingConfig,
    @Inject(SweepMetrics) private readonly metrics: SweepMetrics,
    @Inject(SERVICE_CLIENTS) clients: ServiceClients,
  ) {
    this.owners = holdOwnersOf(clients);
  }

  @Periodic<HoldSweepTask>({ name: 'hold sweeper', everyMs: ({ config }) => config.holdSweepIntervalMs })
  async sweep(): Promise<void> {
    const options = { batchSize: this.config.holdSweepBatch, inquiryAgeMs: this.config.holdInquiryAgeMs };
    this.metrics.swept(await sweepHolds(this.pool, this.owners, this.clock, options));
  }
}
