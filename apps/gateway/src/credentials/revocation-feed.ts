import { Inject, Injectable } from '@nestjs/common';
import type { EventEnvelope } from '@capability-router/contracts';
import type { BroadcastListener } from '@capability-router/event-bus';
import { delay } from '@capability-router/service-kit';
import type { Readiness, ServiceRuntime } from '@capability-router/service-kit';
import { RUNTIME } from '../gateway-parts.js';
import { CredentialDirectory } from './credential-directory.js';
import { ReplicaLease } from './replica-lease.js';
import { applyRevocation, revocationTopics } from './verify-credential.js';

/** Milliseconds between attempts to begin listening. */
const RETRY_MS = 1_000;
/** Milliseconds between looks whether what is published is read already. */
const READING_POLL_MS = 50;

/**
 * Hears of every revoked key and confirms to identity that it is evicted. The gateway is not ready until it listens; what is
 * cached expires within seconds even if it never does.
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
    @Inject(ReplicaLease) private readonly lease: ReplicaLease,
  ) {}

  /** Returns at once; goes on until listening has begun. */
  start(): void {
    this.beginning = this.begin();
  }

  health(): Readiness {
    if (!this.listening) return { ready: false, detail: 'not yet listening for revoked credentials' };
    if (this.lease.isHeld()) return { ready: true, detail: 'ready' };
    return { ready: true, detail: 'identity has not heard of this replica lately: it is asked about every key' };
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.beginning;
    await this.listener?.close();
    await this.lease.stop();
  }

  /** What is revoked before is heard late, so until then nobody counts on this replica. False: it was stopped before. */
  private async untilReading(listener: BroadcastListener): Promise<boolean> {
    while (!listener.isReading()) {
      if (this.stopped.signal.aborted) return false;
      await delay(READING_POLL_MS, this.stopped.signal);
    }
    return true;
  }

  private apply(event: EventEnvelope): void {
    const evicted = applyRevocation(this.credentials, event);
    if (evicted !== undefined) this.lease.confirm(evicted);
  }

  private async begin(): Promise<void> {
    while (!this.stopped.signal.aborted) {
      const listener = this.runtime.bus.broadcastListener();
      try {
        await listener.listen(revocationTopics, (event) => this.apply(event));
        this.listener = listener;
        this.listening = true;
        if (await this.untilReading(listener)) this.lease.start();
        return;
      } catch (error) {
        this.runtime.logger.warn({ err: error }, 'cannot listen for revoked credentials yet');
        await listener.close();
        await delay(RETRY_MS, this.stopped.signal);
      }
    }
  }
}
