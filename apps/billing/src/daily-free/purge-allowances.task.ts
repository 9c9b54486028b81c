import type { Clock } from '@capability-router/kernel';
import { CLOCK, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { purgeAllowances } from './daily-allowance.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class PurgeAllowancesTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ name: 'purge of daily allowances', everyMs: INTERVAL_MS })
  async purge(): Promise<void> {
    await purgeAllowances(this.pool, this.clock.nowMs());
  }
}
