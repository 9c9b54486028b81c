import { randomUUID } from 'node:crypto';
import {
  GATEWAY_LEASE_MS,
  internalHeaders,
  type GatewayReportRequest,
  type GatewayReportResponse,
} from '@capability-router/contracts';
import { delay, jsonBody, LOGGER, postJson, type ServiceClients } from '@capability-router/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { CLIENTS, STEADY_MS } from '../tokens.js';
import { IdentityClock } from './identity-clock.js';
import type { SteadyMs } from './steady-clock.js';

const PATH = '/internal/gateway-replicas:report';
const REPORT_TIMEOUT_MS = 2_000;
/** Milliseconds that a report of leaving may take: whoever stops does not wait for identity. */
const LEAVE_TIMEOUT_MS = 500;
/** Ids of one report. */
const MAX_EVICTED = 500;
/** Ids that wait to be confirmed. Beyond it the oldest goes unconfirmed, and the answer to its revocation says so. */
const MAX_WAITING = 10_000;

/**
 * Tells identity that this replica lives and which revoked keys it has evicted, so that the answer to a revocation can
 * wait for it. In return the replica uses what it has cached only while identity counts it as alive: one that was frozen
 * or cut off asks about every key anew, because revocations may have been answered without it.
 */
@Injectable()
export class ReplicaLease {
  private readonly replicaId = randomUUID();
  private readonly stopping = new AbortController();
  private evicted: string[] = [];
  private wake = (): void => undefined;
  private running: Promise<void> = Promise.resolve();
  /** Both times are those of the clock that never steps. */
  private validUntilMs = -Infinity;
  private unbrokenSinceMs = Infinity;
  /** The time is that of identity. */
  private leaseBeganAt: string | undefined;

  constructor(
    @Inject(CLIENTS) private readonly clients: Pick<ServiceClients, 'identity'>,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(STEADY_MS) private readonly steadyMs: SteadyMs,
    @Inject(IdentityClock) private readonly identityClock: IdentityClock,
  ) {}

  /** Now, to be taken before identity is asked about a key. */
  nowMs(): number {
    return this.steadyMs();
  }

  /** May an answer of identity that was asked for at `askedAtMs` still be used without asking again? */
  covers(askedAtMs: number): boolean {
    return askedAtMs >= this.unbrokenSinceMs && this.isHeld();
  }

  /** False: identity does not count on this replica, which asks about every key. */
  isHeld(): boolean {
    return this.steadyMs() < this.validUntilMs;
  }

  /** To be called once the replica hears of every revocation; goes on until `stop`. */
  start(): void {
    this.running = this.run();
  }

  /** The key or account is not in the cache any more, and no answer on its way can bring it back. */
  confirm(subject: string): void {
    this.evicted.push(subject);
    if (this.evicted.length > MAX_WAITING) this.evicted.shift();
    this.wake();
  }

  /** A report brings an answer, by which the machine's clock is judged. To be called whenever that is not decided. */
  recheckClock(): void {
    if (this.identityClock.isRecheckDue()) this.wake();
  }

  /** Nothing is served any more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.running;
    if (this.validUntilMs === -Infinity) return;
    await this.send({ replicaId: this.replicaId, evicted: [], leaving: true }, LEAVE_TIMEOUT_MS).catch(() => undefined);
  }

  private async run(): Promise<void> {
    let failing = false;
    while (!this.stopping.signal.aborted) {
      const evicted = this.evicted.splice(0, MAX_EVICTED);
      try {
        await this.report(evicted);
        failing = false;
      } catch (error) {
        this.evicted = [...evicted, ...this.evicted].slice(-MAX_WAITING);
        if (!failing) this.logger.warn({ err: error }, 'identity was not told that this replica lives');
        failing = true;
      }
      await this.pause(failing);
    }
  }

  private async report(evicted: readonly string[]): Promise<void> {
    const sentAtMs = this.steadyMs();
    const { leaseBeganAt = this.leaseBeganAt } = await this.send(
      { replicaId: this.replicaId, evicted },
      REPORT_TIMEOUT_MS,
    );
    const heardAtMs = this.steadyMs();
    // The clock of a machine that is paused stands still, and only identity knows that the lease has lapsed. It says since
    // when the lease holds, and not whether it has just begun, because the answer that would say so may be lost.
    const beganAnew = leaseBeganAt !== this.leaseBeganAt;
    this.leaseBeganAt = leaseBeganAt;
    // Identity counts from when it wrote the report, which is no earlier than when it was sent.
    if (beganAnew || heardAtMs >= this.validUntilMs) this.unbrokenSinceMs = heardAtMs;
    this.validUntilMs = sentAtMs + GATEWAY_LEASE_MS;
  }

  private async send(report: GatewayReportRequest, timeoutMs: number): Promise<GatewayReportResponse> {
    const sentAtMs = this.steadyMs();
    const response = await postJson(this.clients.identity, PATH, report, { timeoutMs, repeatable: true });
    const { status, headers } = response;
    // One that is not ready may be so because its own clock is wrong.
    if (headers[internalHeaders.availability] !== 'not_ready') {
      this.identityClock.heard(String(headers['date']), sentAtMs, this.steadyMs());
    }
    if (status !== 200) throw new Error(`identity answered ${status} to a report of the gateway`);
    return jsonBody(response);
  }

  /** Until the next report is due, or at once where something waits to be confirmed and the last report came through. */
  private async pause(failed: boolean): Promise<void> {
    if (!failed && this.evicted.length > 0) return;
    const woken = new AbortController();
    this.wake = () => {
      if (!failed || this.stopping.signal.aborted) woken.abort();
    };
    // Where there is nothing to confirm, a report also tells the time.
    if (!this.stopping.signal.aborted) await delay(this.identityClock.untilNextLookMs(), woken.signal);
    this.wake = () => undefined;
  }
}
