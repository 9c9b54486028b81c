import type { BudgetPeriod, ProjectState } from '@capability-router/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `projects`. */
@Entity({ name: 'projects' })
export class ProjectRecord {
  @PrimaryColumn({ name: 'project_id', type: 'uuid' })
  projectId: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  state: ProjectState;

  /** Micro-credits as a decimal string; null: no limit. */
  @Column({ name: 'budget_micro', type: 'bigint', nullable: true })
  budgetMicro: string | null;

  @Column({ name: 'budget_period', type: 'text', nullable: true })
  budgetPeriod: BudgetPeriod | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** The id of the last change that replicas of the gateway have to hear of, like the time beside it. */
  @Column({ name: 'change_id', type: 'uuid', nullable: true })
  changeId: string | null;

  @Column({ name: 'changed_at', type: 'timestamptz', nullable: true })
  changedAt: Date | null;
}
