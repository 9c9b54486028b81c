import { Inject, Injectable } from '@nestjs/common';
import type { BroadcastListener } from '@capability-router/event-bus';
import { delay } from '@capability-router/service-kit';
import type { Readiness, ServiceRuntime } from '@capability-router/service-kit';
import { RUNTIME } from '../gateway-parts.js';
import { CredentialDirectory } from './credential-directory.js';
import { applyRevocation, revocationTopics } from './verify-credential.js';

/** Milliseconds between attempts to begin listening. */
const RETRY_MS = 1_000;

/**
 * Hears of every revoked key. The gateway is not ready until it listens; what is cached expires within seconds even if
 * it never does.
 */
@Injectable()
export class RevocationFeed {
  private readonly stopped = new AbortController();
  private listener: BroadcastListener | undefined;
  private listening = false;
  private beginning: Promise<void> = Promise.resolve();

  constructor(
    @Inject(RUNTIME) private readonly runtime: ServiceRuntime,
    @Inject(CredentialDirectory) private readonly credentials: CredentialDirectory,
  ) {}

  /** Returns at once; goes on until listening has begun. */
  start(): void {
    this.beginning = this.begin();
  }

  health(): Readiness {
    return this.listening
      ? { ready: true, detail: 'ready' }
      : { ready: false, detail: 'not yet listening for revoked credentials' };
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.beginning;
    await this.listener?.close();
  }

  private async begin(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      const listener = this.runtime.bus.broadcastListener();
      try {
        await listener.listen(revocationTopics, (event) => applyRevocation(this.credentials, event));
        this.listener = listener;
        this.listening = true;
        return;
      } catch (error) {
        this.runtime.logger.warn({ err: error }, 'cannot listen for revoked credentials yet');
        await listener.close();
        await delay(RETRY_MS, this.stopped.signal);
      }
    }
  }
}
