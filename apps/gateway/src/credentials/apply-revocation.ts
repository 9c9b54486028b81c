import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import type { CredentialDirectory } from './credential-directory.js';

/** The gateway listens to these topics. */
export const revocationTopics = [topicNames.accounts] as const;

/** After which what is known of an account's credentials does not hold any more. */
const accountEvents: ReadonlySet<string> = new Set(['AccountErased', 'AccountRegionChanged']);

/** After which a key still is valid, but what is known of it does not hold any more. */
const keyChanges: ReadonlySet<string> = new Set(['ApiKeyBudgetsChanged', 'ApiKeyScopesGranted']);

/**
 * Drops a revoked key, one with other budgets or scopes than before, and every key of an account that was erased or moved;
 * other events of the topic are of no concern here. Answers the id of the key or account that is refused from now on.
 */
export function applyRevocation(directory: CredentialDirectory, event: EventEnvelope): string | undefined {
  const { accountId, apiKeyId } = event.data;
  if (event.type === 'ApiKeyRevoked' && typeof apiKeyId === 'string') {
    directory.revokeKey(apiKeyId);
    return apiKeyId;
  }
  if (keyChanges.has(event.type) && typeof apiKeyId === 'string') directory.refreshKey(apiKeyId);
  if (accountEvents.has(event.type) && typeof accountId === 'string') {
    directory.revokeAccount(accountId);
    if (event.type === 'AccountErased') return accountId;
  }
  return undefined;
}
