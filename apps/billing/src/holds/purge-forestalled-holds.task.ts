import type { Clock } from '@capability-router/kernel';
import { CLOCK, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { purgeForestalledHolds } from './purge-forestalled-holds.sql.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class PurgeForestalledHoldsTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ name: 'purge of forestalled holds', everyMs: INTERVAL_MS })
  async purge(): Promise<void> {
    await purgeForestalledHolds(this.pool, this.clock.nowMs());
  }
}
