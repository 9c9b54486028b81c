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

  @Column({ name: 'opened_at', type: 'timestamptz' })
  openedAt: Date;

  /** ISO 3166-1 alpha-2; null where it is not known. */
  @Column({ type: 'text', nullable: true })
  region: string | null;

  /** Nothing of a person is left in the row. */
  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt: Date | null;
}
