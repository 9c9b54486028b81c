import type { Queryable } from '@capability-router/event-store';
import type { JWK } from 'jose';
import type pg from 'pg';

export interface SigningKeyRow {
  readonly keyId: string;
  readonly publicJwk: JWK;
  readonly sealedPrivate: Buffer;
  readonly madeAt: Date;
  readonly signsFrom: Date;
  /** Null while it has no successor. */
  readonly verifiesUntil: Date | null;
}

const listSql = `
SELECT key_id AS "keyId", public_jwk AS "publicJwk", sealed_private AS "sealedPrivate", made_at AS "madeAt",
       signs_from AS "signsFrom", verifies_until AS "verifiesUntil"
  FROM oauth_signing_keys
 WHERE verifies_until IS NULL OR verifies_until > $1
 ORDER BY signs_from DESC, key_id DESC`;

/** Those that sign, will sign, or have signed what may still live; the newest first. */
export async function listSigningKeys(db: Queryable, now: Date): Promise<readonly SigningKeyRow[]> {
  return (await db.query<SigningKeyRow>(listSql, [now])).rows;
}

const lockSql = `SELECT pg_advisory_xact_lock(hashtext('oauth signing keys'))`;

/** One at a time makes a key; ends with the transaction. */
export async function lockSigningKeys(tx: pg.ClientBase): Promise<void> {
  await tx.query(lockSql);
}

const insertSql = `
INSERT INTO oauth_signing_keys (key_id, public_jwk, sealed_private, made_at, signs_from) VALUES ($1, $2, $3, $4, $5)`;

export async function insertSigningKey(tx: pg.ClientBase, row: Omit<SigningKeyRow, 'verifiesUntil'>): Promise<void> {
  await tx.query(insertSql, [row.keyId, JSON.stringify(row.publicJwk), row.sealedPrivate, row.madeAt, row.signsFrom]);
}

const succeedSql = `UPDATE oauth_signing_keys SET verifies_until = $2 WHERE key_id <> $1 AND verifies_until IS NULL`;

/** Every other key signs no more once the new one does. */
export async function endOtherKeys(tx: pg.ClientBase, keyId: string, verifiesUntil: Date): Promise<void> {
  await tx.query(succeedSql, [keyId, verifiesUntil]);
}

const purgeSql = `DELETE FROM oauth_signing_keys WHERE verifies_until <= $1`;

export async function purgeSigningKeys(db: Queryable, now: Date): Promise<void> {
  await db.query(purgeSql, [now]);
}
