import type { Queryable } from '@capability-router/event-store';
import type { ResourcePath } from '../../signing-keys/token-settings.js';

/** A program may act for an account, because somebody of it said so. */
export interface StandingConsent {
  readonly familyId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly scopes: readonly string[];
  readonly resourcePath: ResourcePath;
  /** The key by which they signed in, with which the consent ends; null where it was an e-mailed code. */
  readonly apiKeyId: string | null;
  readonly beganAt: Date;
  /** To the minute; null where no token of it was used yet. */
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date;
}

// A consent whose key or client has ended gives nothing any more, and a refresh uses it as a request does. A suspended
// account's consents are listed: they go on when the account does.
const pageSql = `
SELECT f.family_id AS "familyId", f.client_id AS "clientId", c.name AS "clientName", f.scopes, f.resource_path AS "resourcePath",
       f.api_key_id AS "apiKeyId", f.began_at AS "beganAt", greatest(f.last_used_at, nullif(f.rotated_at, f.began_at)) AS "lastUsedAt",
       f.expires_at AS "expiresAt"
  FROM oauth_families f
  JOIN oauth_clients c USING (client_id)
  JOIN accounts a ON a.account_id = f.account_id
  JOIN accounts o ON o.account_id = c.account_id
  LEFT JOIN api_keys k ON k.api_key_id = f.api_key_id
 WHERE f.account_id = $1 AND ($2::uuid IS NULL OR f.family_id < $2)
   AND f.revoked_at IS NULL AND f.expires_at > $3 AND c.revoked_at IS NULL
   AND a.status <> 'closed' AND o.status <> 'closed'
   AND (f.api_key_id IS NULL OR (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > $3)))
 ORDER BY f.family_id DESC
 LIMIT $4`;

export interface ConsentPage {
  readonly accountId: string;
  /** Only those that were given before this one. */
  readonly before: string | undefined;
  readonly now: Date;
  readonly limit: number;
}

/** Consents of an account that stand, the newest first. */
export async function pageOfConsents(
  db: Queryable,
  { accountId, before, now, limit }: ConsentPage,
): Promise<readonly StandingConsent[]> {
  return (await db.query<StandingConsent>(pageSql, [accountId, before ?? null, now, limit])).rows;
}
