import type pg from 'pg';
import { apiKeysIn } from './api-keys-in.js';

/** The account of a key, whether it still works or not. */
export async function findKeyOwner(tx: pg.ClientBase, apiKeyId: string): Promise<string | undefined> {
  const apiKeys = await apiKeysIn(tx);
  return (await apiKeys.findOne({ select: { apiKeyId: true, accountId: true }, where: { apiKeyId } }))?.accountId;
}
