import { Column, Entity, PrimaryColumn } from 'typeorm';

export type MailState = 'waiting' | 'sent' | 'failed';

/** A row of `mails`: the outbox. */
@Entity({ name: 'mails' })
export class MailRecord {
  @PrimaryColumn({ name: 'mail_id', type: 'uuid' })
  mailId: string;

  /** The account on whose behalf it is sent; it goes with the account. */
  @Column({ name: 'account_id', type: 'text' })
  accountId: string;

  @Column({ type: 'text' })
  state: MailState;

  /** Address and content, encrypted; null once the mail has ended. */
  @Column({ type: 'bytea', nullable: true })
  sealed: Buffer | null;

  @Column({ type: 'integer' })
  attempts: number;

  /** No attempt begins before. While one runs, it is when its lease ends. */
  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;

  /** It is of no use afterwards. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
