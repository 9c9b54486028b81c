import { Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { purgeReports } from './gateway-replicas.sql.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class PurgeReportsTask {
  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  @Periodic({ name: 'purge of gateway reports', everyMs: INTERVAL_MS, atStart: true })
  purge(): Promise<void> {
    return purgeReports(this.pool);
  }
}
