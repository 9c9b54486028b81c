import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { BillingConfig } from '../config.js';
import { findAnomalies } from './find-anomalies.js';

@Injectable()
export class AnomaliesTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BillingConfig,
  ) {}

  @Periodic<AnomaliesTask>({ name: 'search for anomalies', everyMs: ({ config }) => config.anomalyCheckIntervalMs })
  async find(): Promise<void> {
    const { raised, cleared } = await findAnomalies(this.pool, this.clock);
    if (raised > 0) this.logger.warn({ raised }, 'anomalies were put into the exceptions queue');
    if (cleared > 0) this.logger.info({ cleared }, 'anomalies have ended');
  }
}
