import { CONFIG, Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { EvidenceConfig } from './evidence-config.js';
import { Evidence } from './evidence.js';

/** Milliseconds from a counted call to a summary at most, and from a summary to every replica's copy. */
const REFRESH_INTERVAL_MS = 5_000;
const SWEEP_INTERVAL_MS = 3_600_000;

@Injectable()
export class EvidenceTask {
  constructor(
    @Inject(Evidence) private readonly evidence: Evidence,
    @Inject(CONFIG) private readonly config: { readonly evidence: EvidenceConfig },
  ) {}

  @Periodic<EvidenceTask>({
    name: 'refresh of evidence',
    everyMs: ({ config }) => config.evidence.refreshIntervalMs ?? REFRESH_INTERVAL_MS,
    atStart: true,
  })
  async keepFresh(): Promise<void> {
    await this.evidence.keepFresh();
  }

  @Periodic({ name: 'sweep of evidence', everyMs: SWEEP_INTERVAL_MS, atStart: true })
  async sweep(): Promise<void> {
    await this.evidence.sweep();
  }
}
