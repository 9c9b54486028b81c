import type { ApiKeyScope } from '@capability-router/contracts';
import type { Queryable } from '@capability-router/event-store';

/** Once, everything that neither spent credits nor administered was open to any key of an account. */
const onceOpen: readonly ApiKeyScope[] = ['call', 'read', 'manage'];

/** Scopes for what a key could do when it was issued, and cannot do without them now. */
export const lostScopes = (scopes: readonly string[]): readonly ApiKeyScope[] =>
  onceOpen.filter((scope) => !scopes.includes(scope));

export interface NarrowedKey {
  readonly apiKeyId: string;
  readonly accountId: string;
  readonly name: string;
  readonly maskedValue: string;
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
}

const sql = `
SELECT k.api_key_id AS "apiKeyId", k.account_id AS "accountId", k.name, k.masked_value AS "maskedValue", k.scopes,
       k.issued_at AS "issuedAt"
  FROM api_keys k JOIN accounts a USING (account_id)
 WHERE k.narrowed AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND a.status = 'active'
   AND ($1::uuid IS NULL OR k.api_key_id > $1)
 ORDER BY k.api_key_id
 LIMIT $2`;

/** Keys in use that lost something when scopes came to mean what they say, and that no grant has settled; oldest first. */
export async function listNarrowedKeys(
  db: Queryable,
  after: string | undefined,
  limit: number,
): Promise<readonly NarrowedKey[]> {
  return (await db.query<NarrowedKey>(sql, [after ?? null, limit])).rows;
}
