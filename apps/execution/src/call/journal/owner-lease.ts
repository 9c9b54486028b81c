import { CLOCK, CONFIG, LOGGER, untilConnected } from '@capability-router/service-kit';
import { randomUUID } from 'node:crypto';
import type { Clock } from '@capability-router/kernel';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionConfig } from '../../config.js';
import { LEASE_POOL } from '../../tokens.js';
import { giveUpLease, renewLease } from './owner-lease.sql.js';

/** Renewals within one lease: two may fail before it lapses. */
const RENEWALS_PER_LEASE = 3;

/** Milliseconds between renewals, and for one of them. */
export const renewalMs = (leaseMs: number): number => Math.ceil(leaseMs / RENEWALS_PER_LEASE);

/**
 * This process as the owner of what it runs. Every start of a process is a new owner. The database's clock decides when
 * a lease lapses, so that replicas need not agree on the time.
 */
@Injectable()
export class OwnerLease implements OnApplicationShutdown {
  readonly ownerId = randomUUID();
  private renewedAtMs: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    /** Shared with nobody, so that a replica under load is not taken for dead. */
    @Inject(LEASE_POOL) private readonly pool: pg.Pool,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    /** An owner that has not renewed for `leaseMs` is gone, and its executions are interrupted. */
    @Inject(CONFIG) private readonly config: Pick<ExecutionConfig, 'leaseMs'>,
  ) {}

  async start(): Promise<void> {
    await untilConnected(() => this.renew(), { logger: this.logger });
    this.timer = setInterval(() => {
      this.renew().catch((err: unknown) => this.logger.error({ err }, 'the execution lease could not be renewed'));
    }, renewalMs(this.config.leaseMs));
  }

  async renew(): Promise<void> {
    const askedAtMs = this.clock.nowMs();
    await renewLease(this.pool, this.ownerId, this.config.leaseMs);
    // Counted from before the question, so that this process never believes in its lease longer than the others do.
    this.renewedAtMs = askedAtMs;
  }

  isHeld(): boolean {
    return this.renewedAtMs !== undefined && this.clock.nowMs() - this.renewedAtMs < this.config.leaseMs;
  }

  /** Nothing runs here any more. */
  async onApplicationShutdown(): Promise<void> {
    await this.stop().catch((err: unknown) => this.logger.warn({ err }, 'the execution lease runs out by itself'));
  }

  /** Gives the lease up; what this process still runs is interrupted by the next sweep of any replica. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.renewedAtMs = undefined;
    await giveUpLease(this.pool, this.ownerId);
  }
}
