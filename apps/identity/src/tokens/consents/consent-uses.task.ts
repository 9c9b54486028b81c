import { Periodic, POOL } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type pg from 'pg';
import { WaitingUses } from '../../api-keys/waiting-uses.js';
import { recordConsentUses } from './record-consent-uses.sql.js';

const INTERVAL_MS = 5_000;

/** Writes down when tokens of consents were used, as of keys. */
@Injectable()
export class ConsentUsesTask {
  private readonly waiting = new WaitingUses();

  constructor(@Inject(POOL) private readonly pool: pg.Pool) {}

  used(familyId: string, nowMs: number): void {
    this.waiting.used(familyId, nowMs);
  }

  @Periodic({ name: 'record of consent uses', everyMs: INTERVAL_MS })
  async record(): Promise<void> {
    await recordConsentUses(this.pool, this.waiting.take());
  }
}
