import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { ExecutionConfig } from '../config.js';
import { EXECUTION_CONFIG, EXECUTION_POOL } from '../tokens.js';
import { sweepPayloads } from './payload-store.sql.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class SweepPayloadsTask {
  constructor(
    @Inject(EXECUTION_POOL) private readonly pool: pg.Pool,
    @Inject(EXECUTION_CONFIG) private readonly config: ExecutionConfig,
  ) {}

  @Periodic({ name: 'sweep of payloads', everyMs: INTERVAL_MS })
  async sweep(): Promise<void> {
    await sweepPayloads(this.pool, this.config.payloadRetentionDays);
  }
}
