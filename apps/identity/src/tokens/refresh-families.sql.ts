import type { Queryable } from '@capability-router/event-store';
import type { AccountStatus } from '../accounts/account.js';
import type { ResourcePath } from '../signing-keys/token-settings.js';

/** A row of `oauth_families`: what one consent of a person gave a client. */
export interface FamilyRow {
  readonly familyId: string;
  readonly clientId: string;
  readonly accountId: string;
  /** The key by which the person signed in; null where it was an e-mailed code. */
  readonly apiKeyId: string | null;
  readonly scopes: readonly string[];
  readonly tokenHash: Buffer;
  readonly previousHash: Buffer | null;
  readonly beganAt: Date;
  readonly rotatedAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
  readonly clientRevokedAt: Date | null;
  readonly accountStatus: AccountStatus;
  /** The state of the account that the client was registered for. */
  readonly ownerStatus: AccountStatus;
}

const findSql = `
SELECT f.family_id AS "familyId", f.client_id AS "clientId", f.account_id AS "accountId", f.api_key_id AS "apiKeyId",
       f.scopes, f.token_hash AS "tokenHash", f.previous_hash AS "previousHash", f.began_at AS "beganAt",
       f.rotated_at AS "rotatedAt", f.expires_at AS "expiresAt", f.revoked_at AS "revokedAt",
       c.revoked_at AS "clientRevokedAt", a.status AS "accountStatus", o.status AS "ownerStatus"
  FROM oauth_families f
  JOIN oauth_clients c USING (client_id)
  JOIN accounts a ON a.account_id = f.account_id
  JOIN accounts o ON o.account_id = c.account_id
 WHERE f.family_hash = $1`;

export async function findFamily(db: Queryable, familyHash: Buffer): Promise<FamilyRow | undefined> {
  return (await db.query<FamilyRow>(findSql, [familyHash])).rows[0];
}

const findByIdSql = `
SELECT family_id AS "familyId", account_id AS "accountId", client_id AS "clientId", revoked_at AS "revokedAt"
  FROM oauth_families WHERE family_id = $1`;

export type FamilyById = Pick<FamilyRow, 'familyId' | 'accountId' | 'clientId' | 'revokedAt'>;

export async function findFamilyById(db: Queryable, familyId: string): Promise<FamilyById | undefined> {
  return (await db.query<FamilyById>(findByIdSql, [familyId])).rows[0];
}

const insertSql = `
INSERT INTO oauth_families (family_id, client_id, account_id, api_key_id, scopes, family_hash, token_hash, began_at,
                            rotated_at, expires_at, resource_path)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10)`;

export interface NewFamilyRow {
  readonly familyId: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly apiKeyId: string | null;
  readonly scopes: readonly string[];
  readonly resourcePath: ResourcePath;
  readonly familyHash: Buffer;
  readonly tokenHash: Buffer;
  readonly beganAt: Date;
  readonly expiresAt: Date;
}

export async function insertFamily(db: Queryable, row: NewFamilyRow): Promise<void> {
  await db.query(insertSql, [
    row.familyId,
    row.clientId,
    row.accountId,
    row.apiKeyId,
    row.scopes,
    row.familyHash,
    row.tokenHash,
    row.beganAt,
    row.expiresAt,
    row.resourcePath,
  ]);
}

const rotateSql = `
UPDATE oauth_families SET previous_hash = token_hash, token_hash = $3, rotated_at = $4
 WHERE family_id = $1 AND token_hash = $2 AND revoked_at IS NULL AND expires_at > $4`;

/** The check and the change are one guarded write, so that of any number of uses of one token one wins. False: it lost. */
export async function rotateFamily(
  db: Queryable,
  { familyId, tokenHash }: Pick<FamilyRow, 'familyId' | 'tokenHash'>,
  successorHash: Buffer,
  at: Date,
): Promise<boolean> {
  return (await db.query(rotateSql, [familyId, tokenHash, successorHash, at])).rowCount === 1;
}

const revokeSql = `UPDATE oauth_families SET revoked_at = $2 WHERE family_id = $1 AND revoked_at IS NULL`;

/** False where it was revoked before. */
export async function markFamilyRevoked(db: Queryable, familyId: string, at: Date): Promise<boolean> {
  return (await db.query(revokeSql, [familyId, at])).rowCount === 1;
}

const surplusSql = `
SELECT family_id AS "familyId" FROM oauth_families
 WHERE account_id = $1 AND client_id = $2 AND revoked_at IS NULL AND expires_at > $3
 ORDER BY began_at DESC, family_id DESC OFFSET $4`;

/** Those of one account and client that stand beyond the `kept` newest. */
export async function listSurplusFamilies(
  db: Queryable,
  { accountId, clientId, now, kept }: { accountId: string; clientId: string; now: Date; kept: number },
): Promise<readonly string[]> {
  const { rows } = await db.query<{ familyId: string }>(surplusSql, [accountId, clientId, now, kept]);
  return rows.map(({ familyId }) => familyId);
}

const removeSql = `DELETE FROM oauth_families WHERE account_id = $1`;

/** Removes what people of an account consented to, and the tokens of it. */
export async function removeFamilies(db: Queryable, accountId: string): Promise<void> {
  await db.query(removeSql, [accountId]);
}

const purgeSql = `
DELETE FROM oauth_families WHERE family_id IN (
  SELECT family_id FROM oauth_families WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** @returns how many rows were removed, at most `limit`; the tokens of a family have ended before it */
export async function purgeFamilies(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.query(purgeSql, [before, limit])).rowCount ?? 0;
}
