import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BillingConfig } from '../config.js';
import { checkAccounts } from './check-accounts.js';
import { checkConservation } from './check-conservation.js';

/** Checks the books while billing runs. One replica at a time does a step of each check. */
@Injectable()
export class BooksTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  @Periodic<BooksTask>({ name: 'conservation of credits', everyMs: ({ config }) => config.booksCheckIntervalMs })
  async checkConservation(): Promise<void> {
    const sums = await checkConservation(this.pool, this.clock);
    if (sums === undefined) return;
    const { entries, balances, lots, held, openHolds } = sums;
    if (entries === balances && entries === lots && held === openHolds) return;
    this.logger.error({ ...sums }, 'sums of the books differ');
  }

  @Periodic<BooksTask>({ name: 'invariants of accounts', everyMs: ({ config }) => config.booksCheckIntervalMs })
  async checkAccounts(): Promise<void> {
    await checkAccounts(this.pool, this.clock, this.logger);
  }
}
