import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BillingConfig } from '../config.js';
import { findAnomalies } from '../exceptions/find-anomalies.js';
import type { BillingMetrics } from '../metrics.js';
import { startPeriodicTask } from '../periodic-task.js';
import { checkAccounts } from './check-accounts.js';
import { checkConservation } from './check-conservation.js';

/** Milliseconds between two reads of what the gauges show. */
const GAUGE_REFRESH_INTERVAL_MS = 10_000;

/** What billing checks of itself while it runs. Each replica starts it; of each check, one replica at a time does a step. */
export function startChecks(parts: {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: Pick<BillingConfig, 'anomalyCheckIntervalMs' | 'booksCheckIntervalMs'>;
  readonly metrics: BillingMetrics;
}): { stop(): Promise<void> } {
  const { pool, clock, logger, config, metrics } = parts;
  const tasks = [
    startPeriodicTask(config.anomalyCheckIntervalMs, logger, 'search for anomalies', async () => {
      const { raised, cleared } = await findAnomalies(pool, clock);
      if (raised > 0) logger.warn({ raised }, 'anomalies were put into the exceptions queue');
      if (cleared > 0) logger.info({ cleared }, 'anomalies have ended');
    }),
    startPeriodicTask(config.booksCheckIntervalMs, logger, 'conservation of credits', async () => {
      const sums = await checkConservation(pool, clock);
      if (sums === undefined) return;
      const { entries, balances, lots, held, openHolds } = sums;
      if (entries === balances && entries === lots && held === openHolds) return;
      logger.error({ ...sums }, 'sums of the books differ');
    }),
    startPeriodicTask(config.booksCheckIntervalMs, logger, 'invariants of accounts', async () => {
      await checkAccounts(pool, clock, logger);
    }),
    startPeriodicTask(GAUGE_REFRESH_INTERVAL_MS, logger, 'refresh of gauges', () => metrics.refresh()),
  ];
  return {
    async stop() {
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}
