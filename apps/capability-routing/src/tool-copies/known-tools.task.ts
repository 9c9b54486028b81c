import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { KnownTools } from './known-tools.js';

/** Milliseconds after which a tool that has changed is known so by every replica. */
const REFRESH_INTERVAL_MS = 500;

@Injectable()
export class KnownToolsTask {
  constructor(@Inject(KnownTools) private readonly tools: KnownTools) {}

  @Periodic({ name: 'refresh of the known tools', everyMs: REFRESH_INTERVAL_MS })
  async refresh(): Promise<void> {
    await this.tools.refresh();
  }
}
