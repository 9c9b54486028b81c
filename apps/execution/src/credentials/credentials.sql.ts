import type { Queryable } from '@capability-router/event-store';
import type { CredentialKey, SealedCredential } from './stored-credentials.js';

const columns = `owner_id AS "ownerId", provider_id AS "providerId", revision, key_id AS "keyId",
  sealed_fields AS "sealedFields", set_at AS "setAt", sealed_at AS "sealedAt"`;

/** Until the transaction ends, nobody else changes what this owner has. */
export async function lockOwner(tx: Queryable, ownerId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('provider-credentials:' || $1::text, 0))`, [ownerId]);
}

/** For whoever changes many rows: two of them could each hold what the other waits for. */
export async function lockManyRows(tx: Queryable): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('provider-credentials', 0))`);
}

/** Is what this owner has being forgotten? */
export async function isErased(tx: Queryable, ownerId: string): Promise<boolean> {
  const { rows } = await tx.query('SELECT 1 FROM erased_accounts WHERE account_id = $1', [ownerId]);
  return rows.length > 0;
}

/** All that an owner has. */
export async function deleteAllOf(
  tx: Queryable,
  ownerId: string,
): Promise<(CredentialKey & { readonly revision: string })[]> {
  const { rows } = await tx.query<CredentialKey & { revision: string }>(
    `DELETE FROM provider_credentials WHERE owner_id = $1
     RETURNING owner_id AS "ownerId", provider_id AS "providerId", revision`,
    [ownerId],
  );
  return rows;
}

/** Credentials that are sealed with any other key than `keyId`, in the order of owner and provider, after one. */
export async function findSealedOtherwise(
  db: Queryable,
  keyId: string,
  after: CredentialKey,
  limit: number,
): Promise<SealedCredential[]> {
  const { rows } = await db.query<SealedCredential>(
    `SELECT ${columns} FROM provider_credentials
      WHERE (owner_id, provider_id) > ($2, $3) AND key_id <> $1 ORDER BY owner_id, provider_id LIMIT $4`,
    [keyId, after.ownerId, after.providerId, limit],
  );
  return rows;
}

/** Rows changed: fewer than were given where some were set anew or deleted meanwhile. */
export async function reseal(
  db: Queryable,
  credentials: readonly SealedCredential[],
  previousKeyIds: readonly string[],
): Promise<number> {
  const rows = credentials.map(({ ownerId, providerId, revision, keyId, sealedFields, sealedAt }, index) => ({
    owner_id: ownerId,
    provider_id: providerId,
    revision,
    previous_key_id: previousKeyIds[index],
    key_id: keyId,
    sealed_fields: sealedFields,
    sealed_at: sealedAt,
  }));
  const { rowCount } = await db.query(
    `UPDATE provider_credentials c SET key_id = r.key_id, sealed_fields = r.sealed_fields, sealed_at = r.sealed_at
       FROM jsonb_to_recordset($1::jsonb) AS r(owner_id text, provider_id text, revision uuid, previous_key_id text,
         key_id text, sealed_fields jsonb, sealed_at timestamptz)
      WHERE c.owner_id = r.owner_id AND c.provider_id = r.provider_id
        AND c.revision = r.revision AND c.key_id = r.previous_key_id`,
    [JSON.stringify(rows)],
  );
  return rowCount ?? 0;
}

/** Credentials by the key that they are sealed with. */
export async function countByKey(db: Queryable): Promise<{ readonly keyId: string; readonly count: number }[]> {
  const { rows } = await db.query<{ keyId: string; count: number }>(
    'SELECT key_id AS "keyId", count(*)::int AS count FROM provider_credentials GROUP BY key_id ORDER BY key_id',
  );
  return rows;
}
