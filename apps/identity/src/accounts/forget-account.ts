import type pg from 'pg';
import { accountsIn, apiKeysIn, trialAgentsIn } from '../records.js';

/** Stands where a name must be. */
const ERASED_NAME = 'erased';

/**
 * Removes everything about a person from an account that the caller has locked: name, e-mail address, keys, agent and
 * claim code. The id stays, because money is booked under it. Resolves to the keys that were not revoked before.
 */
export async function forgetAccount(tx: pg.ClientBase, accountId: string, nowMs: number): Promise<string[]> {
  const apiKeys = await apiKeysIn(tx);
  const keys = await apiKeys.find({ select: { apiKeyId: true, revokedAt: true }, where: { accountId } });
  await apiKeys.delete({ accountId });
  await (await trialAgentsIn(tx)).delete({ accountId });
  const erased = { status: 'closed', name: ERASED_NAME, email: null, region: null } as const;
  await (await accountsIn(tx)).update({ accountId }, { ...erased, erasedAt: new Date(nowMs) });
  return keys.filter((key) => key.revokedAt === null).map((key) => key.apiKeyId);
}
