import type { Clock } from '@capability-router/kernel';
import { CLOCK, METRICS, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { readPartitions } from './partitions.sql.js';

const MS_PER_SECOND = 1_000;

/** Its gauges are read when they are scraped. */
@Injectable()
export class PartitionMetrics {
  constructor(@Inject(METRICS) registry: Registry, @Inject(POOL) pool: pg.Pool, @Inject(CLOCK) clock: Clock) {
    new Gauge({
      name: 'billing_partition_stray_rows',
      help: 'Rows in the default partition of a table above what its partitions cover, counted up to 10,000: they have no partition of their month. Any is an alarm.',
      labelNames: ['table'],
      registers: [registry],
      async collect() {
        for (const { table, strayRows } of await readPartitions(pool)) this.set({ table }, strayRows);
      },
    });
    new Gauge({
      name: 'billing_partition_late_rows',
      help: 'Rows in the default partition of a table whose month was detached, counted up to 10,000. They stay there until somebody moves or deletes them.',
      labelNames: ['table'],
      registers: [registry],
      async collect() {
        for (const { table, lateRows } of await readPartitions(pool)) this.set({ table }, lateRows);
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
}
