import type pg from 'pg';
import { apiKeysIn } from './api-keys-in.js';

/** When the key ends, in milliseconds since the epoch; undefined where it has no end. */
export async function keyExpiry(pool: pg.Pool, apiKeyId: string | undefined): Promise<number | undefined> {
  if (apiKeyId === undefined) return undefined;
  const select = { apiKeyId: true, expiresAt: true };
  const key = await (await apiKeysIn(pool)).findOne({ select, where: { apiKeyId } });
  return key?.expiresAt?.getTime();
}
