import type { ToolVerification } from '@capability-router/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `tool_verifications`. */
@Entity({ name: 'tool_verifications' })
export class ToolVerificationRecord {
  @PrimaryColumn({ name: 'tool_id', type: 'text' })
  toolId: string;

  @Column({ name: 'recorded_at', type: 'timestamptz' })
  recordedAt: Date;

  @Column({ type: 'jsonb' })
  verdict: ToolVerification;

  /** See `txOrderSql`. */
  @Column({ name: 'change_order', type: 'bigint' })
  changeOrder: string;
}
