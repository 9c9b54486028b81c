import type { BudgetPeriod } from '@capability-router/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `api_keys`. Amounts are decimal strings of micro-credits; null: no limit. */
@Entity({ name: 'api_keys' })
export class ApiKeyRecord {
  @PrimaryColumn({ name: 'api_key_id', type: 'uuid' })
  apiKeyId: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId: string;

  /** SHA-256. The plain key is nowhere. */
  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  @Column({ name: 'masked_value', type: 'text' })
  maskedValue: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', array: true })
  scopes: readonly string[];

  @Column({ name: 'issued_at', type: 'timestamptz' })
  issuedAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  /** To the minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;

  @Column({ name: 'budget_micro', type: 'bigint', nullable: true })
  budgetMicro: string | null;

  @Column({ name: 'budget_period', type: 'text', nullable: true })
  budgetPeriod: BudgetPeriod | null;

  @Column({ name: 'session_budget_micro', type: 'bigint', nullable: true })
  sessionBudgetMicro: string | null;

  /** The project that the key spends for; null: none. */
  @Column({ name: 'project_id', type: 'uuid', nullable: true })
  projectId: string | null;

  /** Issued when scopes opened more than they do now; false once an operator has granted the key a scope. */
  @Column({ type: 'boolean' })
  narrowed: boolean;

  /** The id of the last change that replicas of the gateway have to hear of, like the time beside it. */
  @Column({ name: 'change_id', type: 'uuid', nullable: true })
  changeId: string | null;

  @Column({ name: 'changed_at', type: 'timestamptz', nullable: true })
  changedAt: Date | null;
}
