import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { startPeriodicTask } from '../periodic-task.js';
import { keepPartitionsAhead, readPartitions } from './keep-partitions-ahead.js';

/** Milliseconds between two rounds; partitions stand months ahead. */
const INTERVAL_MS = 600_000;
const MS_PER_SECOND = 1_000;

/**
 * Keeps partitions months ahead. Rows in a default partition are reported as an error before they get a partition of
 * their own: they say that the job has not run for months, or that ids come from a wrong clock.
 */
export function startPartitionJob(pool: pg.Pool, clock: Clock, logger: Logger): { stop(): Promise<void> } {
  return startPeriodicTask(INTERVAL_MS, logger, 'partitions of the months to come', async () => {
    for (const { table, strayRows } of await readPartitions(pool)) {
      if (strayRows > 0) logger.error({ table, strayRows }, 'rows have no partition of their month');
    }
    const added = await keepPartitionsAhead(pool, clock);
    if (added > 0) logger.info({ added }, 'partitions were added');
  });
}

/** Gauges are read when they are scraped. */
export function registerPartitionMetrics(registry: Registry, pool: pg.Pool, clock: Clock): void {
  new Gauge({
    name: 'billing_partition_stray_rows',
    help: 'Rows in the default partition of a table, counted up to 10,000: they have no partition of their month. Any is an alarm.',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      for (const { table, strayRows } of await readPartitions(pool)) this.set({ table }, strayRows);
    },
  });
  new Gauge({
    name: 'billing_partitions_ahead_seconds',
    help: 'For how long from now a table has its partitions. Below a month, the job that adds them has not run for months.',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      for (const { table, coveredUntil } of await readPartitions(pool)) {
        this.set({ table }, (coveredUntil.getTime() - clock.nowMs()) / MS_PER_SECOND);
      }
    },
  });
}
