import { Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { sweepIdempotencyKeys } from './key-store.sql.js';

const INTERVAL_MS = 60_000;

@Injectable()
export class SweepKeysTask {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  @Periodic({ name: 'sweep of idempotency keys', everyMs: INTERVAL_MS })
  async sweep(): Promise<void> {
    await sweepIdempotencyKeys(this.pool);
  }
}
