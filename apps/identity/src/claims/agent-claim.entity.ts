import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `agent_claims`: the newest code that was mailed for a trial. It goes when the trial is claimed. */
@Entity({ name: 'agent_claims' })
export class AgentClaimRecord {
  @PrimaryColumn({ name: 'account_id', type: 'text' })
  accountId: string;

  /** Another for each code. */
  @Column({ name: 'claim_id', type: 'uuid' })
  claimId: string;

  @Column({ type: 'text' })
  email: string;

  /** HMAC-SHA256 of claim, address and code. Of an address that has an account already, no code fits. */
  @Column({ name: 'code_hash', type: 'bytea' })
  codeHash: Buffer;

  @Column({ name: 'tries_left', type: 'integer' })
  triesLeft: number;

  @Column({ name: 'requested_at', type: 'timestamptz' })
  requestedAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;
}
