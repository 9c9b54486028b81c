import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { CapabilityIndex } from './capability-index.js';

/** Milliseconds after which every replica knows that a contract was published, changed or retired. */
const REFRESH_INTERVAL_MS = 500;

@Injectable()
export class CapabilityIndexTask {
  constructor(@Inject(CapabilityIndex) private readonly index: CapabilityIndex) {}

  @Periodic({ name: 'refresh of the index of capabilities', everyMs: REFRESH_INTERVAL_MS })
  async refresh(): Promise<void> {
    await this.index.refresh();
  }
}
