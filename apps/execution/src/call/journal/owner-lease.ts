import { randomUUID } from 'node:crypto';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Renewals within one lease: two may fail before it lapses. */
const RENEWALS_PER_LEASE = 3;

const renewSql = `
INSERT INTO execution_owners (owner_id, lease_until)
VALUES ($1, clock_timestamp() + $2::double precision * interval '1 millisecond')
ON CONFLICT (owner_id) DO UPDATE SET lease_until = excluded.lease_until`;

/**
 * This process as the owner of what it runs. Every start of a process is a new owner. The database's clock decides when
 * a lease lapses, so that replicas need not agree on the time.
 */
export class OwnerLease {
  readonly ownerId = randomUUID();
  private renewedAtMs: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
    private readonly logger: Logger,
    /** Milliseconds; an owner that has not renewed for this long is gone, and its executions are interrupted. */
    private readonly leaseMs: number,
  ) {}

  async start(): Promise<void> {
    await this.renew();
    this.timer = setInterval(() => {
      this.renew().catch((err: unknown) => this.logger.error({ err }, 'the execution lease could not be renewed'));
    }, this.leaseMs / RENEWALS_PER_LEASE);
  }

  async renew(): Promise<void> {
    const askedAtMs = this.clock.nowMs();
    await this.pool.query(renewSql, [this.ownerId, this.leaseMs]);
    // Counted from before the question, so that this process never believes in its lease longer than the others do.
    this.renewedAtMs = askedAtMs;
  }

  isHeld(): boolean {
    return this.renewedAtMs !== undefined && this.clock.nowMs() - this.renewedAtMs < this.leaseMs;
  }

  /** Gives the lease up; what this process still runs is interrupted by the next sweep of any replica. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.renewedAtMs = undefined;
    await this.pool.query('DELETE FROM execution_owners WHERE owner_id = $1', [this.ownerId]);
  }
}
