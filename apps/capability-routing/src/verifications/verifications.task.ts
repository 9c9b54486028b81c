import { Periodic } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { VerificationCopy } from './verification-copy.js';

/** Milliseconds from a verdict to every replica's copy at most. */
const REFRESH_INTERVAL_MS = 2_000;

@Injectable()
export class VerificationsTask {
  constructor(@Inject(VerificationCopy) private readonly copy: VerificationCopy) {}

  @Periodic({ name: 'refresh of verifications', everyMs: REFRESH_INTERVAL_MS })
  async refresh(): Promise<void> {
    await this.copy.refresh();
  }
}
