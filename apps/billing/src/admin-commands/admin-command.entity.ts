import type { JsonObject } from '@capability-router/kernel';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `admin_commands`: what an administrator commanded, once per key. */
@Entity({ name: 'admin_commands' })
export class AdminCommandRecord {
  @PrimaryColumn({ name: 'idempotency_key', type: 'text' })
  idempotencyKey: string;

  @Column({ type: 'text' })
  kind: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId: string;

  /** The hash of everything that the outcome depends on. */
  @Column({ name: 'input_hash', type: 'text' })
  inputHash: string;

  @Column({ name: 'commanded_by', type: 'text' })
  commandedBy: string;

  /** For people; blanked when the account is erased. */
  @Column({ type: 'text', nullable: true })
  note: string | null;

  /** Null only before its transaction commits. */
  @Column({ type: 'jsonb', nullable: true })
  answer: JsonObject | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
