import { Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { recordUses } from './record-uses.sql.js';

const INTERVAL_MS = 5_000;
/** Keys whose use waits to be written. Beyond it the use of others is not recorded until the next round. */
const MAX_WAITING = 10_000;

/** Writes down when keys were used, many at a time. A replica that is killed forgets the last seconds. */
@Injectable()
export class KeyUsesTask {
  private waiting = new Map<string, number>();

  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  used(apiKeyId: string, nowMs: number): void {
    if (this.waiting.size < MAX_WAITING || this.waiting.has(apiKeyId)) this.waiting.set(apiKeyId, nowMs);
  }

  @Periodic({ name: 'record of key uses', everyMs: INTERVAL_MS })
  async record(): Promise<void> {
    const uses = this.waiting;
    this.waiting = new Map();
    await recordUses(this.pool, uses);
  }
}
