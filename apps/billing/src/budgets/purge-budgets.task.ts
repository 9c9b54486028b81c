import type { Clock } from '@capability-router/kernel';
import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { BILLING_CLOCK, BILLING_POOL } from '../tokens.js';
import { purgeBudgets } from './purge-budgets.sql.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class PurgeBudgetsTask {
  constructor(
    @Inject(BILLING_POOL) private readonly pool: pg.Pool,
    @Inject(BILLING_CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ name: 'purge of budgets', everyMs: INTERVAL_MS })
  async purge(): Promise<void> {
    await purgeBudgets(this.pool, this.clock.nowMs());
  }
}
