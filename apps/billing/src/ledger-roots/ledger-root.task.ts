import type { Clock } from '@capability-router/kernel';
import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import { BILLING_CLOCK, BILLING_COMMITTED, BILLING_CONFIG, BILLING_POOL } from '../tokens.js';
import { recordLedgerRoot } from './record-root.js';

@Injectable()
export class LedgerRootTask {
  constructor(
    @Inject(BILLING_POOL) private readonly pool: pg.Pool,
    @Inject(BILLING_CLOCK) private readonly clock: Clock,
    @Inject(BILLING_CONFIG) private readonly config: BillingConfig,
    @Inject(BILLING_COMMITTED) private readonly committed: () => void,
  ) {}

  @Periodic<LedgerRootTask>({ name: 'daily ledger root', everyMs: ({ config }) => config.ledgerRootCheckIntervalMs })
  async record(): Promise<void> {
    const root = await recordLedgerRoot(this.pool, this.clock);
    if (root !== undefined) this.committed();
  }
}
