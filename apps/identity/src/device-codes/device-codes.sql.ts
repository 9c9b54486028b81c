import type { Queryable } from '@capability-router/event-store';
import type { ResourcePath } from '../signing-keys/token-settings.js';

/** `used`: its tokens were given out. */
export type DeviceCodeState = 'pending' | 'approved' | 'denied' | 'used';

export interface DeviceCodeRow {
  readonly deviceId: string;
  readonly clientId: string;
  readonly state: DeviceCodeState;
  readonly intervalSeconds: number;
  readonly polledAt: Date | null;
  readonly accountId: string | null;
  readonly apiKeyId: string | null;
  readonly grantedScopes: readonly string[] | null;
  readonly resourcePath: ResourcePath;
  readonly expiresAt: Date;
}

const findSql = `
SELECT device_id AS "deviceId", client_id AS "clientId", state, interval_seconds AS "intervalSeconds",
       polled_at AS "polledAt", account_id AS "accountId", api_key_id AS "apiKeyId",
       granted_scopes AS "grantedScopes", resource_path AS "resourcePath", expires_at AS "expiresAt"
  FROM oauth_device_codes WHERE device_hash = $1`;

export async function findDeviceCode(db: Queryable, deviceHash: Buffer): Promise<DeviceCodeRow | undefined> {
  return (await db.query<DeviceCodeRow>(findSql, [deviceHash])).rows[0];
}

export interface NewDeviceCode {
  readonly deviceId: string;
  readonly deviceHash: Buffer;
  readonly userCodeHash: Buffer;
  readonly addressHash: Buffer;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly resourcePath: ResourcePath;
  readonly intervalSeconds: number;
  readonly signInTries: number;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

const insertSql = `
INSERT INTO oauth_device_codes (device_id, device_hash, user_code_hash, address_hash, client_id, scopes, state,
                                interval_seconds, sign_in_tries, mailed_tries, issued_at, expires_at, resource_path)
VALUES ($1, $2, $3, $4, $5, $6, 'pending', $7, $8, 0, $9, $10, $11)
ON CONFLICT (user_code_hash) DO NOTHING`;

/** False where another program has this user code. */
export async function insertDeviceCode(db: Queryable, row: NewDeviceCode): Promise<boolean> {
  const { rowCount } = await db.query(insertSql, [
    row.deviceId,
    row.deviceHash,
    row.userCodeHash,
    row.addressHash,
    row.clientId,
    row.scopes,
    row.intervalSeconds,
    row.signInTries,
    row.issuedAt,
    row.expiresAt,
    row.resourcePath,
  ]);
  return rowCount === 1;
}

const countSql = `
SELECT (SELECT count(*) FROM (SELECT FROM oauth_device_codes
          WHERE client_id = $1 AND state = 'pending' AND expires_at > $3 LIMIT $4) AS c)::int AS "ofClient",
       (SELECT count(*) FROM (SELECT FROM oauth_device_codes
          WHERE address_hash = $2 AND state = 'pending' AND expires_at > $3 LIMIT $4) AS a)::int AS "ofAddress"`;

/** Codes that wait for a person, counted up to `atMost`. */
export async function countOpenCodes(
  db: Queryable,
  { clientId, addressHash, now, atMost }: { clientId: string; addressHash: Buffer; now: Date; atMost: number },
): Promise<{ readonly ofClient: number; readonly ofAddress: number }> {
  const { rows } = await db.query<{ ofClient: number; ofAddress: number }>(countSql, [
    clientId,
    addressHash,
    now,
    atMost,
  ]);
  return rows[0] ?? { ofClient: 0, ofAddress: 0 };
}

const pollSql = `UPDATE oauth_device_codes SET polled_at = $2, interval_seconds = $3 WHERE device_id = $1`;

export async function recordPoll(db: Queryable, deviceId: string, at: Date, intervalSeconds: number): Promise<void> {
  await db.query(pollSql, [deviceId, at, intervalSeconds]);
}

const useSql = `
UPDATE oauth_device_codes SET state = 'used' WHERE device_id = $1 AND state = 'approved' AND expires_at > $2`;

/** The check and the change are one guarded write. False: it was used before. */
export async function useDeviceCode(db: Queryable, deviceId: string, now: Date): Promise<boolean> {
  return (await db.query(useSql, [deviceId, now])).rowCount === 1;
}

const purgeSql = `
DELETE FROM oauth_device_codes WHERE device_id IN (
  SELECT device_id FROM oauth_device_codes WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

/** @returns how many rows were removed, at most `limit` */
export async function purgeDeviceCodes(db: Queryable, before: Date, limit: number): Promise<number> {
  return (await db.query(purgeSql, [before, limit])).rowCount ?? 0;
}

const removeSql = `DELETE FROM oauth_device_codes WHERE account_id = $1`;

/** Removes what people of an account decided about and programs have not taken yet. */
export async function removeDeviceCodes(db: Queryable, accountId: string): Promise<void> {
  await db.query(removeSql, [accountId]);
}
