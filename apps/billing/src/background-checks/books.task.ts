import type { Clock } from '@capability-router/kernel';
import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BillingConfig } from '../config.js';
import type { BillingMetrics } from '../metrics.js';
import { BILLING_CLOCK, BILLING_CONFIG, BILLING_LOGGER, BILLING_METRICS, BILLING_POOL } from '../tokens.js';
import { checkAccounts } from './check-accounts.js';
import { checkConservation } from './check-conservation.js';

/** Milliseconds between two reads of what the gauges show. */
const GAUGE_REFRESH_INTERVAL_MS = 10_000;

/** What billing checks of its books while it runs. Of each check, one replica at a time does a step. */
@Injectable()
export class BooksTask {
  constructor(
    @Inject(BILLING_POOL) private readonly pool: pg.Pool,
    @Inject(BILLING_CLOCK) private readonly clock: Clock,
    @Inject(BILLING_LOGGER) private readonly logger: Logger,
    @Inject(BILLING_CONFIG) private readonly config: BillingConfig,
    @Inject(BILLING_METRICS) private readonly metrics: BillingMetrics,
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

  @Periodic({ name: 'refresh of gauges', everyMs: GAUGE_REFRESH_INTERVAL_MS })
  refreshGauges(): Promise<void> {
    return this.metrics.refresh();
  }
}
