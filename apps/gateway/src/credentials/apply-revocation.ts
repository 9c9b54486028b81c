import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import type { CredentialDirectory } from './credential-directory.js';

/** The gateway listens to these topics. */
export const revocationTopics = [topicNames.accounts] as const;

/** After which what is known of an account's credentials does not hold any more. */
const accountEvents: ReadonlySet<string> = new Set([
  'AccountErased',
  'AccountRateLimitPlanChanged',
  'AccountRegionChanged',
  'AccountStateChanged',
  'AgentClaimed',
]);

/** After which a credential is worth nothing, or something else than before, and the member that says which. */
const endings: Readonly<Record<string, string>> = {
  ApiKeyRevoked: 'apiKeyId',
  ExternalSubjectUnlinked: 'externalSubjectId',
  OAuthClientRevoked: 'clientId',
  OAuthFamilyRevoked: 'familyId',
  OAuthTokenRevoked: 'tokenId',
};

/** After which a key still is valid, but what is known of it does not hold any more. */
const keyChanges: ReadonlySet<string> = new Set([
  'ApiKeyBudgetsChanged',
  'ApiKeyExpiryChanged',
  'ApiKeyProjectChanged',
  'ApiKeyScopesGranted',
]);

/**
 * Drops what hangs on a revoked key, token, client or consent, a key with other budgets, scopes or another project than before, and every
 * credential of an account that was erased, moved or may do something else than before, or of a project or a plan with other limits;
 * other events of the topic are of no concern
 * here. Answers the id of what is refused, or of the change that is acted by, from now on.
 */
export function applyRevocation(directory: CredentialDirectory, event: EventEnvelope): string | undefined {
  const { accountId, apiKeyId, changeId, plan, projectId } = event.data;
  const ended = endings[event.type];
  const subject = ended === undefined ? undefined : event.data[ended];
  if (typeof subject === 'string') {
    directory.revoke(subject);
    return subject;
  }
  if (keyChanges.has(event.type) && typeof apiKeyId === 'string') directory.refresh(apiKeyId);
  if (event.type === 'RateLimitPlanChanged' && typeof plan === 'string') directory.refresh(plan);
  if (event.type === 'ProjectChanged' && typeof projectId === 'string') directory.refresh(projectId);
  if (event.type === 'ExternalSubjectLinked') directory.reconsiderRefused();
  if (accountEvents.has(event.type) && typeof accountId === 'string') {
    directory.refresh(accountId);
    if (event.type === 'AccountStateChanged') directory.reconsiderRefused();
    if (event.type === 'AccountErased') return accountId;
  }
  return typeof changeId === 'string' ? changeId : undefined;
}
