import { Controller, Inject, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { EventEnvelope } from '@capability-router/contracts';
import { OnEveryEvent, type BroadcastStatus } from '@capability-router/event-bus';
import { endInTurn, type Readiness } from '@capability-router/service-kit';
import { applyRevocation, revocationTopics } from './apply-revocation.js';
import { ClockProbe } from './clock-probe.js';
import { CredentialDirectory } from './credential-directory.js';
import { IdentityClock } from './identity-clock.js';
import { ReplicaLease } from './replica-lease.js';

/**
 * Hears of every revoked key and confirms to identity that it is evicted. The gateway is not ready until it listens;
 * what is cached expires within seconds even if it never does.
 */
@Controller()
export class RevocationFeed implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private listening = false;

  constructor(
    @Inject(CredentialDirectory) private readonly credentials: CredentialDirectory,
    @Inject(ReplicaLease) private readonly lease: ReplicaLease,
    @Inject(IdentityClock) private readonly identityClock: IdentityClock,
    @Inject(ClockProbe) private readonly clockProbe: ClockProbe,
  ) {}

  /** The machine's clock is judged whether there is a broker or not. */
  onApplicationBootstrap(): void {
    this.clockProbe.start();
  }

  @OnEveryEvent(revocationTopics)
  apply(event: EventEnvelope): void {
    const evicted = applyRevocation(this.credentials, event);
    if (evicted !== undefined) this.lease.confirm(evicted);
  }

  /** A revocation before the transport reads is heard late, so until then nobody counts on this replica. */
  heard(status: BroadcastStatus): void {
    this.listening = true;
    if (status !== 'reading') return;
    // From now on reports tell the time.
    void this.clockProbe.stop();
    this.lease.start();
  }

  /** With a wrong clock no service takes the tokens of this replica. */
  isFit(): boolean {
    const fit = this.identityClock.trouble() === undefined;
    if (this.identityClock.isUndecided) this.lease.recheckClock();
    return fit;
  }

  health(): Readiness {
    const trouble = this.identityClock.trouble();
    if (trouble !== undefined) return { ready: false, detail: trouble };
    if (!this.listening) return { ready: false, detail: 'not yet listening for revoked credentials' };
    if (this.lease.isHeld()) return { ready: true, detail: 'ready' };
    return { ready: true, detail: 'identity has not heard of this replica lately: it is asked about every key' };
  }

  /** The transport is closed before. */
  async beforeApplicationShutdown(): Promise<void> {
    await endInTurn([() => this.clockProbe.stop(), () => this.lease.stop()]);
  }
}
