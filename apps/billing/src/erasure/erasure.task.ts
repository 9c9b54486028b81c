import type { Clock } from '@capability-router/kernel';
import { CLOCK, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { eraseAccounts } from './erase-accounts.js';

/** Milliseconds until the audit of an erased account is blanked, once its event has come. */
const INTERVAL_MS = 5_000;

@Injectable()
export class ErasureTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Periodic({ name: 'erasure of accounts', everyMs: INTERVAL_MS })
  async erase(): Promise<void> {
    await eraseAccounts(this.pool, this.clock);
  }
}
