import type { Clock } from '@capability-router/kernel';
import { CLOCK, Periodic, POOL, repeatWhileFull } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { purgeDeviceCodes } from './device-codes.sql.js';

const INTERVAL_MS = 600_000;
/** Milliseconds for which a lapsed code is kept, so that its program is told that it has. */
const KEPT_MS = 600_000;
const BATCHES = { rows: 1_000, statements: 100 };

@Injectable()
export class PurgeDeviceCodesTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ name: 'purge of device codes', everyMs: INTERVAL_MS, atStart: true })
  async purge(): Promise<void> {
    const before = new Date(this.clock.nowMs() - KEPT_MS);
    await repeatWhileFull((limit) => purgeDeviceCodes(this.pool, before, limit), BATCHES);
  }
}
