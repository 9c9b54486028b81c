import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { sweepRetention, type RetentionPolicy } from './retention-sweep.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class RetentionSweepTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: RetentionPolicy,
  ) {}

  @Periodic({ name: 'retention sweep', everyMs: INTERVAL_MS, atStart: true })
  async sweep(): Promise<void> {
    await sweepRetention(this.pool, this.clock.nowMs(), this.config);
  }
}
