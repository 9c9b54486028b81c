import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `trial_agents`. */
@Entity({ name: 'trial_agents' })
export class TrialAgentRecord {
  @PrimaryColumn({ name: 'agent_id', type: 'text' })
  agentId: string;

  @Column({ name: 'account_id', type: 'text' })
  accountId: string;

  @Column({ name: 'agent_name', type: 'text' })
  agentName: string;

  @Column({ type: 'text', nullable: true })
  model: string | null;

  @Column({ type: 'text', nullable: true })
  purpose: string | null;

  /** SHA-256. The plain code is nowhere. */
  @Column({ name: 'claim_code_hash', type: 'bytea' })
  claimCodeHash: Buffer;

  /** A decimal string of micro-credits. */
  @Column({ name: 'trial_micro_credits', type: 'bigint' })
  trialMicroCredits: string;

  @Column({ name: 'registered_at', type: 'timestamptz' })
  registeredAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  /** When it became a formal account; its claim code is used up. */
  @Column({ name: 'claimed_at', type: 'timestamptz', nullable: true })
  claimedAt: Date | null;
}
