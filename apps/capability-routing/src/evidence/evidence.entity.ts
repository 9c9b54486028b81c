import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OpenBreaker } from './domain/breaker.js';

/** A row of `evidence`. */
@Entity({ name: 'evidence' })
export class EvidenceRecord {
  /** `tool:<id>` or `provider:<id>` */
  @PrimaryColumn({ type: 'text' })
  subject: string;

  @Column({ type: 'double precision' })
  successes: number;

  @Column({ type: 'double precision' })
  failures: number;

  @Column({ type: 'double precision', array: true })
  latencies: number[];

  /** Up to when the counts are faded. */
  @Column({ name: 'as_of', type: 'timestamptz' })
  asOf: Date;

  @Column({ name: 'failures_in_row', type: 'integer' })
  failuresInRow: number;

  /** See `Breaker`. */
  @Column({ name: 'failing_account', type: 'text', nullable: true })
  failingAccount: string | null;

  @Column({ name: 'open_breaker', type: 'jsonb', nullable: true })
  openBreaker: OpenBreaker | null;

  @Column({ type: 'text', array: true })
  recent: string[];

  /** See `txOrderSql`. */
  @Column({ name: 'change_order', type: 'bigint' })
  changeOrder: string;
}
