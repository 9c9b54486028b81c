import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { REGISTRY } from '../context.js';
import type { RegistryContext } from '../context.js';
import { sweepRetention } from './retention-sweep.js';

const INTERVAL_MS = 3_600_000;

@Injectable()
export class RetentionSweepTask {
  constructor(@Inject(REGISTRY) private readonly registry: RegistryContext) {}

  @Periodic({ name: 'retention sweep', everyMs: INTERVAL_MS, atStart: true })
  async sweep(): Promise<void> {
    const { pool, clock, retention } = this.registry;
    await sweepRetention(pool, clock.nowMs(), retention);
  }
}
