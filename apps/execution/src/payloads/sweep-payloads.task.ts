import { CONFIG, Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { ExecutionConfig } from '../config.js';
import { sweepPayloads } from './payload-store.sql.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class SweepPayloadsTask {
  constructor(
    @Inject(POOL) private readonly pool: pg.Pool,
    @Inject(CONFIG) private readonly config: ExecutionConfig,
  ) {}

  @Periodic({ name: 'sweep of payloads', everyMs: INTERVAL_MS })
  async sweep(): Promise<void> {
    await sweepPayloads(this.pool, this.config.payloadRetentionDays);
  }
}
