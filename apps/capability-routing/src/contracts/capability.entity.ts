import type { CapabilityContract } from '@capability-router/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CapabilitySource } from './domain/plan-publication.js';

/** A row of `capabilities`. */
@Entity({ name: 'capabilities' })
export class CapabilityRecord {
  @PrimaryColumn({ name: 'capability_id', type: 'text' })
  capabilityId: string;

  @Column({ name: 'contract_version', type: 'integer' })
  contractVersion: number;

  /** SHA-256 in 64 lowercase hex digits. */
  @Column({ name: 'schema_hash', type: 'text' })
  schemaHash: string;

  /** JSON, not JSONB: the order of parameters is part of what people read. */
  @Column({ type: 'json' })
  contract: CapabilityContract;

  @Column({ name: 'published_at', type: 'timestamptz' })
  publishedAt: Date;

  @Column({ type: 'text', default: 'builtin' })
  source: CapabilitySource;

  /** Callers are not shown a contract that is retired; administrators are. */
  @Column({ type: 'boolean', default: false })
  retired: boolean;

  /** See `txOrderSql`. */
  @Column({ name: 'change_order', type: 'bigint', insert: false, update: false })
  changeOrder: string;
}
