import type pg from 'pg';
import { apiKeysIn } from './api-keys-in.js';

/** Removes the rows of an account's keys. Resolves to the keys that were not revoked before. */
export async function removeKeys(tx: pg.ClientBase, accountId: string): Promise<string[]> {
  const apiKeys = await apiKeysIn(tx);
  const keys = await apiKeys.find({ select: { apiKeyId: true, revokedAt: true }, where: { accountId } });
  await apiKeys.delete({ accountId });
  return keys.filter((key) => key.revokedAt === null).map((key) => key.apiKeyId);
}
