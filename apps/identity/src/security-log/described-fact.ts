import type { AccountState, IdentityEvent } from '@capability-router/contracts';

/** A fact of an account, as its event has it. */
export type AccountFact = {
  [E in IdentityEvent as E['type']]: { type: E['type']; data: E['data'] };
}[IdentityEvent['type']];

export interface DescribedFact {
  readonly action: string;
  readonly object: { readonly type: string; readonly id: string };
  readonly reason?: string;
  /** Kept beside the log. */
  readonly name?: string;
}

const described = (action: string, type: string, id: string, more: Partial<DescribedFact> = {}): DescribedFact => ({
  action,
  object: { type, id },
  ...more,
});

/** The security log's words for a fact. A new fact does not compile until it is named here. */
export function describeFact({ type, data }: AccountFact): DescribedFact {
  switch (type) {
    case 'AccountOpened':
      return described(data.kind === 'trial' ? 'trial.registered' : 'account.opened', 'account', data.accountId, {
        ...(data.issuer === undefined ? {} : { reason: `external_issuer:${data.issuer}` }),
      });
    case 'AccountStateChanged':
      return described(actionOfState(data.previousState, data.state), 'account', data.accountId);
    case 'AccountRegionChanged':
      return described('account.region_changed', 'account', data.accountId);
    case 'AccountRateLimitPlanChanged':
      return described('account.plan_changed', 'account', data.accountId);
    case 'AccountErased':
      return described('account.erased', 'account', data.accountId);
    case 'ApiKeyIssued':
      return described('key.issued', 'api_key', data.apiKeyId, { name: data.name });
    case 'ApiKeyRevoked':
      return described('key.revoked', 'api_key', data.apiKeyId);
    case 'ApiKeyBudgetsChanged':
      return described('key.budget_changed', 'api_key', data.apiKeyId);
    case 'ApiKeyExpiryChanged':
      return described('key.rotated', 'api_key', data.apiKeyId);
    case 'ApiKeyScopesGranted':
      return described('key.granted', 'api_key', data.apiKeyId);
    case 'ApiKeyProjectChanged':
      return described('key.project_changed', 'api_key', data.apiKeyId);
    case 'ProjectCreated':
      return described('project.created', 'project', data.projectId);
    case 'ProjectChanged':
      return described('project.changed', 'project', data.projectId, { reason: data.state });
    case 'AgentClaimRequested':
      return described('claim.started', 'claim', data.claimId);
    case 'AgentClaimCodeRefused':
      return described('claim.code_refused', 'claim', data.claimId);
    case 'AgentClaimed':
      return described('claim.verified', 'claim', data.claimId);
    case 'ExternalSubjectLinked':
      return described('external_subject.linked', 'external_subject', data.externalSubjectId, {
        reason: `external_issuer:${data.issuer}`,
      });
    case 'ExternalSubjectUnlinked':
      return described('external_subject.unlinked', 'external_subject', data.externalSubjectId, {
        reason: data.reason,
      });
    case 'OAuthClientRegistered':
      return described('oauth_client.registered', 'oauth_client', data.clientId);
    case 'OAuthClientRevoked':
      return described('oauth_client.revoked', 'oauth_client', data.clientId);
    case 'OAuthTokenRevoked':
      return described('oauth_token.revoked', 'oauth_token', data.tokenId);
    case 'OAuthFamilyBegan':
      return described('oauth_consent.given', 'oauth_family', data.familyId);
    case 'OAuthFamilyRevoked':
      return described('oauth_consent.revoked', 'oauth_family', data.familyId, { reason: data.reason });
  }
}

function actionOfState(before: AccountState, now: AccountState): string {
  if (now === 'closed') return 'account.closed';
  if (now === 'suspended') return 'account.suspended';
  if (before === 'suspended') return 'account.resumed';
  return now === 'payment_required' ? 'account.blocked' : 'account.unblocked';
}
