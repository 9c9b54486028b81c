import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { EvidenceCopy } from './evidence-copy.js';

/** Milliseconds from a call that was counted to every replica's copy at most; one failing provider is avoided within two seconds. */
const REFRESH_INTERVAL_MS = 500;

@Injectable()
export class EvidenceTask {
  constructor(@Inject(EvidenceCopy) private readonly copy: EvidenceCopy) {}

  @Periodic({ name: 'refresh of evidence', everyMs: REFRESH_INTERVAL_MS })
  async refresh(): Promise<void> {
    await this.copy.refresh();
  }
}
