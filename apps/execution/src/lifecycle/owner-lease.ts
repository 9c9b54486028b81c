import { randomUUID } from 'node:crypto';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Milliseconds; an owner that has not renewed for this long is gone, and its executions are interrupted. */
export const LEASE_MS = 15_000;
/** Milliseconds between renewals: two may fail before the lease lapses. */
export const RENEWAL_INTERVAL_MS = 5_000;

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
    private readonly leaseMs = LEASE_MS,
  ) {}

  async start(): Promise<void> {
    await this.renew();
    this.timer = setInterval(() => {
      this.renew().catch((err: unknown) => this.logger.error({ err }, 'the execution lease could not be renewed'));
    }, RENEWAL_INTERVAL_MS);
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
