import type pg from 'pg';
import { clearAccount } from '../accounts/clear-account.js';
import { removeKeys } from '../api-keys/remove-keys.js';
import { removeTrialAgent } from '../trial-agents/remove-trial-agent.js';

/**
 * Removes everything about a person from an account that the caller has locked: name, e-mail address, keys, agent and
 * claim code. The id stays, because money is booked under it. Resolves to the keys that were not revoked before.
 */
export async function forgetAccount(tx: pg.ClientBase, accountId: string, nowMs: number): Promise<string[]> {
  const apiKeyIds = await removeKeys(tx, accountId);
  await removeTrialAgent(tx, accountId);
  await clearAccount(tx, accountId, nowMs);
  return apiKeyIds;
}
