import type pg from 'pg';
import { clearAccount } from '../accounts/clear-account.js';
import { removeKeys } from '../api-keys/remove-keys.js';
import { removeClaim } from '../claims/claim-records.js';
import { removeDeviceCodes } from '../device-codes/device-codes.sql.js';
import { removeSubjects } from '../external-issuers/subject-accounts.sql.js';
import { removeMails } from '../mail/enqueue-mail.js';
import { removeClients } from '../oauth-clients/remove-clients.js';
import { removeProjects } from '../projects/remove-projects.js';
import { removeFamilies } from '../tokens/refresh-families.sql.js';
import { removeTrialAgent } from '../trial-agents/remove-trial-agent.js';

interface ForgottenCredentials {
  readonly apiKeyIds: readonly string[];
  readonly clientIds: readonly string[];
}

/**
 * Removes everything about a person from an account that the caller has locked: name, e-mail address, keys, projects,
 * consents, clients, agent, claim, mail, and who signed in for it. The id stays, because money is booked under it. Resolves to the keys and the clients that
 * were not revoked before.
 */
export async function forgetAccount(
  tx: pg.ClientBase,
  accountId: string,
  nowMs: number,
): Promise<ForgottenCredentials> {
  const apiKeyIds = await removeKeys(tx, accountId);
  await removeProjects(tx, accountId);
  await removeClaim(tx, accountId);
  await removeMails(tx, accountId);
  await removeDeviceCodes(tx, accountId);
  await removeFamilies(tx, accountId);
  await removeSubjects(tx, accountId);
  const clientIds = await removeClients(tx, accountId);
  await removeTrialAgent(tx, accountId);
  await clearAccount(tx, accountId, nowMs);
  return { apiKeyIds, clientIds };
}
