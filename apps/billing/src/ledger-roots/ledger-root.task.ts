import type { Clock } from '@capability-router/kernel';
import { CLOCK, COMMITTED, CONFIG, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { BillingConfig } from '../config.js';
import { recordLedgerRoot } from './record-root.js';

@Injectable()
export class LedgerRootTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BillingConfig,
    @Inject(COMMITTED) private readonly committed: () => void,
  ) {}

  @Periodic<LedgerRootTask>({ name: 'daily ledger root', everyMs: ({ config }) => config.ledgerRootCheckIntervalMs })
  async record(): Promise<void> {
    const root = await recordLedgerRoot(this.pool, this.clock);
    if (root !== undefined) this.committed();
  }
}
