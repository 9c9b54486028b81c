import type { AccountRatePlan } from '@capability-router/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `rate_limit_plans`. */
@Entity({ name: 'rate_limit_plans' })
export class RateLimitPlanRecord {
  @PrimaryColumn({ type: 'text' })
  name: string;

  /** Requests per minute; what is absent has the limit of the deployment. */
  @Column({ name: 'per_minute', type: 'jsonb' })
  perMinute: AccountRatePlan['perMinute'];

  /** The id of the last change that replicas of the gateway have to hear of, like the time beside it. */
  @Column({ name: 'change_id', type: 'uuid' })
  changeId: string;

  @Column({ name: 'changed_at', type: 'timestamptz' })
  changedAt: Date;
}
