import type { AccountKind } from '@capability-router/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AccountStatus } from './account.js';

/** A row of `accounts`. Its lock is the one under which the account's stream grows. */
@Entity({ name: 'accounts' })
export class AccountRecord {
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId: string;

  @Column({ type: 'text' })
  kind: AccountKind;

  @Column({ type: 'text' })
  status: AccountStatus;

  @Column({ type: 'text' })
  name: string;

  /** In lower case. */
  @Column({ type: 'text', nullable: true })
  email: string | null;

  /** Addresses of one mailbox share it. */
  @Column({ name: 'email_canonical', type: 'text', nullable: true })
  emailCanonical: string | null;

  @Column({ name: 'opened_at', type: 'timestamptz' })
  openedAt: Date;

  /** ISO 3166-1 alpha-2; null where it is not known. */
  @Column({ type: 'text', nullable: true })
  region: string | null;

  /** Nothing of a person is left in the row. */
  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt: Date | null;

  /** Blocked for non-payment, whatever else the status says. */
  @Column({ name: 'payment_required', type: 'boolean' })
  paymentRequired: boolean;

  /** Null: the plan that is named as the kind. */
  @Column({ name: 'rate_limit_plan', type: 'text', nullable: true })
  rateLimitPlan: string | null;

  /** The id of the last change that replicas of the gateway have to hear of, like the time beside it. */
  @Column({ name: 'change_id', type: 'uuid', nullable: true })
  changeId: string | null;

  @Column({ name: 'changed_at', type: 'timestamptz', nullable: true })
  changedAt: Date | null;
}
