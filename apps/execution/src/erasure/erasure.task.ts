import type { Clock } from '@capability-router/kernel';
import { CLOCK, eraseDueAccounts, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { forgetCredentials } from '../credentials/forget-credentials.js';
import { KeptResults } from '../result-shaping/store/kept-results.js';
import { forgetAccount } from './forget-account.js';

/** Milliseconds until what is kept of an erased account goes, once its event has come. */
const INTERVAL_MS = 5_000;

@Injectable()
export class ErasureTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(KeptResults) private readonly keptResults: KeptResults,
  ) {}

  @Periodic({ name: 'erasure of accounts', everyMs: INTERVAL_MS })
  async erase(): Promise<void> {
    await eraseDueAccounts(
      this.pool,
      this.clock,
      async (accountId) =>
        (await forgetCredentials(this.pool, accountId)) + (await forgetAccount(this.pool, this.keptResults, accountId)),
    );
  }
}
