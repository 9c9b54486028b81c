import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of `oauth_clients`. */
@Entity({ name: 'oauth_clients' })
export class OAuthClientRecord {
  /** `client_` and 32 hex digits. */
  @PrimaryColumn({ name: 'client_id', type: 'text' })
  clientId: string;

  /** Requests that the client makes by itself are this account's. */
  @Column({ name: 'account_id', type: 'text' })
  accountId: string;

  @Column({ type: 'text' })
  name: string;

  /** SHA-256; null of a public client. The plain secret is nowhere. */
  @Column({ name: 'secret_hash', type: 'bytea', nullable: true })
  secretHash: Buffer | null;

  /** The most that a token of the client can have. */
  @Column({ type: 'text', array: true })
  scopes: readonly string[];

  /** By which grants it may get tokens. */
  @Column({ name: 'grant_types', type: 'text', array: true })
  grantTypes: readonly string[];

  @Column({ name: 'registered_at', type: 'timestamptz' })
  registeredAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;
}
