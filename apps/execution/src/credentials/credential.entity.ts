import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `provider_credentials`: what one owner shows one provider, sealed. */
@Entity({ name: 'provider_credentials' })
export class CredentialRecord {
  /** An account, or `DEPLOYMENT`. */
  @PrimaryColumn({ name: 'owner_id', type: 'text' })
  ownerId: string;

  @PrimaryColumn({ name: 'provider_id', type: 'text' })
  providerId: string;

  /** UUID; another one each time that the fields are set. */
  @Column({ type: 'uuid' })
  revision: string;

  @Column({ name: 'key_id', type: 'text' })
  keyId: string;

  /** Base64 by field name. */
  @Column({ name: 'sealed_fields', type: 'jsonb' })
  sealedFields: Readonly<Record<string, string>>;

  @Column({ name: 'set_at', type: 'timestamptz' })
  setAt: Date;

  @Column({ name: 'sealed_at', type: 'timestamptz' })
  sealedAt: Date;
}
