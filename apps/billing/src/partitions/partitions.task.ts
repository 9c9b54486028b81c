import type { Clock } from '@capability-router/kernel';
import { CLOCK, LOGGER, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import { keepPartitionsAhead } from './keep-partitions-ahead.js';
import { readPartitions } from './partitions.sql.js';

/** Milliseconds between two rounds; partitions stand months ahead. */
const INTERVAL_MS = 600_000;

@Injectable()
export class PartitionsTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Keeps partitions months ahead. Rows in a default partition are reported as an error before they get a partition of
   * their own: they say that the task has not run for months, or that ids come from a wrong clock. Rows of a month that
   * was detached are told as well, and stay where they are.
   */
  @Periodic({ name: 'partitions of the months to come', everyMs: INTERVAL_MS })
  async keepAhead(): Promise<void> {
    for (const { table, strayRows, lateRows } of await readPartitions(this.pool)) {
      if (strayRows > 0) this.logger.error({ table, strayRows }, 'rows have no partition of their month');
      if (lateRows > 0)
        this.logger.warn({ table, lateRows }, 'rows of a month that was detached are in the default partition');
    }
    const added = await keepPartitionsAhead(this.pool, this.clock);
    if (added > 0) this.logger.info({ added }, 'partitions were added');
  }
}
