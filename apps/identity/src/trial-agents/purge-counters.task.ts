import type { Clock } from '@capability-router/kernel';
import { CLOCK, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { purgeRegistrationCounters } from './purge-counters.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class PurgeCountersTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ name: 'purge of registration counters', everyMs: INTERVAL_MS, atStart: true })
  async purge(): Promise<void> {
    await purgeRegistrationCounters(this.pool, this.clock.nowMs());
  }
}
