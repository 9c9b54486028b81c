import { Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { recordUses } from './record-uses.sql.js';
import { WaitingUses } from './waiting-uses.js';

const INTERVAL_MS = 5_000;

/** Writes down when keys were used, many at a time. A replica that is killed forgets the last seconds. */
@Injectable()
export class KeyUsesTask {
  private readonly waiting = new WaitingUses();

  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  used(apiKeyId: string, nowMs: number): void {
    this.waiting.used(apiKeyId, nowMs);
  }

  @Periodic({ name: 'record of key uses', everyMs: INTERVAL_MS })
  async record(): Promise<void> {
    await recordUses(this.pool, this.waiting.take());
  }
}
