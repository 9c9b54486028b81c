import type { Queryable } from '@capability-router/event-store';
import type { ResourcePath } from '../signing-keys/token-settings.js';

/** A program that waits for a person. */
export interface WaitingDevice {
  readonly deviceId: string;
  readonly clientName: string;
  /** The account that the client was registered for. */
  readonly ownerId: string;
  /** Those that it asks for. */
  readonly scopes: readonly string[];
  readonly resourcePath: ResourcePath;
  readonly expiresAt: Date;
}

const findSql = `
SELECT d.device_id AS "deviceId", c.name AS "clientName", c.account_id AS "ownerId", d.scopes,
       d.resource_path AS "resourcePath", d.expires_at AS "expiresAt"
  FROM oauth_device_codes d
  JOIN oauth_clients c USING (client_id)
  JOIN accounts o ON o.account_id = c.account_id
 WHERE d.user_code_hash = $1 AND d.state = 'pending' AND d.expires_at > $2 AND c.revoked_at IS NULL AND o.status = 'active'`;

export async function findWaiting(db: Queryable, userCodeHash: Buffer, now: Date): Promise<WaitingDevice | undefined> {
  return (await db.query<WaitingDevice>(findSql, [userCodeHash, now])).rows[0];
}

const takeTrySql = `
UPDATE oauth_device_codes SET sign_in_tries = sign_in_tries - 1
 WHERE device_id = $1 AND state = 'pending' AND sign_in_tries > 0`;

/** Counts that a key is shown for it. False: none may be shown any more. */
export async function takeSignInTry(db: Queryable, deviceId: string): Promise<boolean> {
  return (await db.query(takeTrySql, [deviceId])).rowCount === 1;
}

export interface MailedCodeRow {
  readonly mailedHash: Buffer | null;
  readonly mailedAt: Date | null;
  readonly mailedTries: number;
}

const lockSql = `
SELECT mailed_hash AS "mailedHash", mailed_at AS "mailedAt", mailed_tries AS "mailedTries"
  FROM oauth_device_codes WHERE device_id = $1 AND state = 'pending' FOR UPDATE`;

/** The code that was mailed last. The row is locked, so that tries that come together are counted one after the other. */
export async function lockMailedCode(db: Queryable, deviceId: string): Promise<MailedCodeRow | undefined> {
  return (await db.query<MailedCodeRow>(lockSql, [deviceId])).rows[0];
}

const setSql = `
UPDATE oauth_device_codes SET mailed_hash = $2, mailed_at = coalesce($3, mailed_at), mailed_tries = $4 WHERE device_id = $1`;

/** `at`: when it was mailed; absent where it was before. */
export async function setMailedCode(
  db: Queryable,
  deviceId: string,
  { hash, at, tries }: { readonly hash: Buffer | null; readonly at?: Date; readonly tries: number },
): Promise<void> {
  await db.query(setSql, [deviceId, hash, at ?? null, tries]);
}

const approveSql = `
UPDATE oauth_device_codes SET state = 'approved', account_id = $3, api_key_id = $4, granted_scopes = $5, mailed_hash = NULL
 WHERE device_id = $1 AND state = 'pending' AND expires_at > $2`;

export interface Approval {
  readonly accountId: string;
  readonly apiKeyId: string | undefined;
  readonly scopes: readonly string[];
}

/** False where somebody has decided before, or the code has lapsed. */
export async function approveDevice(db: Queryable, deviceId: string, now: Date, by: Approval): Promise<boolean> {
  const { rowCount } = await db.query(approveSql, [deviceId, now, by.accountId, by.apiKeyId ?? null, by.scopes]);
  return rowCount === 1;
}

const denySql = `
UPDATE oauth_device_codes SET state = 'denied', mailed_hash = NULL
 WHERE device_id = $1 AND state = 'pending' AND expires_at > $2`;

/** False where somebody has decided before, or the code has lapsed. */
export async function denyDevice(db: Queryable, deviceId: string, now: Date): Promise<boolean> {
  return (await db.query(denySql, [deviceId, now])).rowCount === 1;
}
