import type { Clock } from '@capability-router/kernel';
import { CLOCK, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { purgeBudgets } from './purge-budgets.sql.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class PurgeBudgetsTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ name: 'purge of budgets', everyMs: INTERVAL_MS })
  async purge(): Promise<void> {
    await purgeBudgets(this.pool, this.clock.nowMs());
  }
}
