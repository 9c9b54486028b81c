import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { IDENTITY } from '../context.js';
import type { IdentityContext } from '../context.js';
import { purgeRegistrationCounters } from './purge-counters.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class PurgeCountersTask {
  constructor(@Inject(IDENTITY) private readonly identity: IdentityContext) {}

  @Periodic({ name: 'purge of registration counters', everyMs: INTERVAL_MS, atStart: true })
  async purge(): Promise<void> {
    const { pool, clock } = this.identity;
    await purgeRegistrationCounters(pool, clock.nowMs());
  }
}
