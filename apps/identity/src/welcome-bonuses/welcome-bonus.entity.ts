import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `welcome_bonuses`. It stays when the account is erased. */
@Entity({ name: 'welcome_bonuses' })
export class WelcomeBonusRecord {
  /** HMAC-SHA256 of the canonical address. */
  @PrimaryColumn({ name: 'email_hash', type: 'bytea' })
  emailHash: Buffer;

  @Column({ name: 'granted_at', type: 'timestamptz' })
  grantedAt: Date;
}
