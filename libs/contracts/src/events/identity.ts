import type { EventEnvelope } from '../envelope.js';
import type { AccountRatePlan, CredentialBudgets } from '../http/credentials.js';

export type AccountKind = 'trial' | 'formal';

/** Billing answers it with the account's first grant. */
export interface AccountOpened {
  readonly accountId: string;
  readonly kind: AccountKind;
  /** Decimal string; what the account starts with. */
  readonly initialGrantMicroCredits: string;
  readonly grantCategory: 'trial' | 'welcome_bonus';
  /** ISO 8601; absent where the grant does not expire. */
  readonly grantExpiresAt?: string;
  /** Name of the external issuer whose token opened it, as the configuration has it. */
  readonly issuer?: string;
  readonly openedAt: string;
}

export interface ApiKeyIssued {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly name: string;
  /** `sk-abcd…wxyz` */
  readonly maskedValue: string;
  readonly scopes: readonly string[];
  /** The project that the key belongs to from the first; absent where it belongs to none. */
  readonly projectId?: string;
  readonly issuedAt: string;
}

/** The gateway drops the key from its cache. */
export interface ApiKeyRevoked {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly revokedAt: string;
}

/** The limits of a key have changed: the gateway asks about it again. */
export interface ApiKeyBudgetsChanged {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** All that hold from now on; empty: none. */
  readonly budgets: CredentialBudgets;
  /** UUID that replicas of the gateway report once they act by the change; absent on events of older builds. */
  readonly changeId?: string;
  readonly changedAt: string;
}

/** A key ends at another time than before: the gateway asks about it again. */
export interface ApiKeyExpiryChanged {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly expiresAt: string;
  readonly changeId: string;
  readonly changedAt: string;
}

/** A key may do more than before: the gateway asks about it again. */
export interface ApiKeyScopesGranted {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** All that the key has from now on. */
  readonly scopes: readonly string[];
  /** Account of the administrator who granted it; absent on the first of these events, and where a claim brought it. */
  readonly grantedBy?: string;
  readonly changeId?: string;
  readonly changedAt: string;
}

/** Where the account is has changed: the gateway asks about it again. The region itself stays in identity. */
export interface AccountRegionChanged {
  readonly accountId: string;
  readonly changeId?: string;
  readonly changedAt: string;
}

/** All that an account may be. Keys of a `suspended` and of a `closed` one are not valid; what a closed one did stays. */
export const accountStates = ['active', 'suspended', 'payment_required', 'closed'] as const;
export type AccountState = (typeof accountStates)[number];

/** The rights of an account have changed: the gateway asks about it again. An `ApiKeyRevoked` of each key comes with `closed`. */
export interface AccountStateChanged {
  readonly accountId: string;
  readonly state: AccountState;
  readonly previousState: AccountState;
  /** Account of the administrator who changed it. */
  readonly changedBy: string;
  readonly changeId: string;
  readonly changedAt: string;
}

/** Keys of an `open` project spend; those of a `closed` one read and manage only. */
export const projectStates = ['open', 'closed'] as const;
export type ProjectState = (typeof projectStates)[number];

/** An account has a project, which is open and which no key belongs to yet. Its name stays in identity. */
export interface ProjectCreated {
  readonly accountId: string;
  readonly projectId: string;
  readonly budget?: NonNullable<CredentialBudgets['project']>;
  readonly createdAt: string;
}

/** The rights of a project's keys have changed: the gateway asks about each of them again. */
export interface ProjectChanged {
  readonly accountId: string;
  readonly projectId: string;
  readonly state: ProjectState;
  /** Absent where the project has none from now on. */
  readonly budget?: NonNullable<CredentialBudgets['project']>;
  readonly changeId: string;
  readonly changedAt: string;
}

/** A key belongs to another project than before: the gateway asks about it again. */
export interface ApiKeyProjectChanged {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** Null: to none. */
  readonly projectId: string | null;
  readonly changeId: string;
  readonly changedAt: string;
}

/** An account has another rate-limit plan than before: the gateway asks about it again. */
export interface AccountRateLimitPlanChanged {
  readonly accountId: string;
  /** Null: the default of the account's kind. */
  readonly plan: string | null;
  /** Account of the administrator who changed it. */
  readonly changedBy: string;
  readonly changeId: string;
  readonly changedAt: string;
}

/** A plan is new or has other limits: the gateway asks about every credential that has it again. */
export interface RateLimitPlanChanged {
  readonly plan: string;
  /** All limits of the plan, in requests per minute. */
  readonly perMinute: AccountRatePlan['perMinute'];
  /** Account of the administrator who changed it. */
  readonly changedBy: string;
  readonly changeId: string;
  readonly changedAt: string;
}

/** A plan is gone. No account had it. */
export interface RateLimitPlanRemoved {
  readonly plan: string;
  readonly removedBy: string;
  readonly removedAt: string;
}

/** A code was mailed to an address that somebody wants to bind a trial to. The address stays in identity. */
export interface AgentClaimRequested {
  readonly accountId: string;
  readonly claimId: string;
  readonly requestedAt: string;
}

/** A code was tried that was not the one that was mailed. */
export interface AgentClaimCodeRefused {
  readonly accountId: string;
  readonly claimId: string;
  /** Tries that are left of the code. */
  readonly triesLeft: number;
  readonly refusedAt: string;
}

/** A trial became a formal account. Billing answers it with the bonus; the gateway asks about its keys again. */
export interface AgentClaimed {
  readonly accountId: string;
  readonly claimId: string;
  /** Decimal string; 0 where the mailbox had its bonus before. */
  readonly welcomeBonusMicroCredits: string;
  readonly changeId: string;
  readonly claimedAt: string;
}

/** A program may ask for tokens of the account. */
export interface OAuthClientRegistered {
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Absent in events of before there were several: `client_credentials`. */
  readonly grantTypes?: readonly string[];
  readonly registeredAt: string;
}

/** The gateway drops every token of the client from its cache. */
export interface OAuthClientRevoked {
  readonly accountId: string;
  readonly clientId: string;
  readonly revokedAt: string;
}

/** The gateway drops the token from its cache. */
export interface OAuthTokenRevoked {
  readonly accountId: string;
  readonly tokenId: string;
  readonly revokedAt: string;
}

/** Somebody of the account let a client act for it. */
export interface OAuthFamilyBegan {
  readonly accountId: string;
  readonly familyId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** The key by which they signed in; absent where it was an e-mailed code. */
  readonly apiKeyId?: string;
  readonly beganAt: string;
  readonly expiresAt: string;
}

/**
 * Why a client may not act for an account any more: the client said so, a replaced refresh token was used, newer consents took its place, or
 * the account or an administrator ended it.
 */
export type FamilyRevocationReason = 'client' | 'reuse' | 'surplus' | 'owner' | 'administrator';

/** The gateway drops every token of the family from its cache. */
export interface OAuthFamilyRevoked {
  readonly accountId: string;
  readonly familyId: string;
  readonly clientId: string;
  readonly reason: FamilyRevocationReason;
  readonly revokedAt: string;
}

/** Tokens of somebody of an external issuer act for the account: the gateway asks again about those that it refused. */
export interface ExternalSubjectLinked {
  readonly accountId: string;
  /** The subject itself stays in identity. */
  readonly externalSubjectId: string;
  /** Name of the issuer, as the configuration has it. */
  readonly issuer: string;
  /** Account of the administrator. */
  readonly linkedBy: string;
  readonly changeId: string;
  readonly linkedAt: string;
}

/** Why tokens of a subject do not act for an account any more; `account_closed`: it was linked to another one since. */
export type SubjectUnlinkingReason = 'administrator' | 'account_closed';

/** The gateway drops the tokens of the subject from its cache. */
export interface ExternalSubjectUnlinked {
  readonly accountId: string;
  readonly externalSubjectId: string;
  readonly reason: SubjectUnlinkingReason;
  /** Account of the administrator. */
  readonly removedBy: string;
  readonly removedAt: string;
}

/** The account is gone. Every service removes what it keeps of it beyond its records of money. */
export interface AccountErased {
  readonly accountId: string;
  readonly erasedAt: string;
}

export type IdentityEvent =
  | EventEnvelope<'AccountOpened', AccountOpened>
  | EventEnvelope<'ApiKeyIssued', ApiKeyIssued>
  | EventEnvelope<'ApiKeyRevoked', ApiKeyRevoked>
  | EventEnvelope<'ApiKeyBudgetsChanged', ApiKeyBudgetsChanged>
  | EventEnvelope<'ApiKeyExpiryChanged', ApiKeyExpiryChanged>
  | EventEnvelope<'ApiKeyScopesGranted', ApiKeyScopesGranted>
  | EventEnvelope<'AccountRegionChanged', AccountRegionChanged>
  | EventEnvelope<'AccountStateChanged', AccountStateChanged>
  | EventEnvelope<'ProjectCreated', ProjectCreated>
  | EventEnvelope<'ProjectChanged', ProjectChanged>
  | EventEnvelope<'ApiKeyProjectChanged', ApiKeyProjectChanged>
  | EventEnvelope<'AccountRateLimitPlanChanged', AccountRateLimitPlanChanged>
  | EventEnvelope<'AgentClaimRequested', AgentClaimRequested>
  | EventEnvelope<'AgentClaimCodeRefused', AgentClaimCodeRefused>
  | EventEnvelope<'AgentClaimed', AgentClaimed>
  | EventEnvelope<'OAuthClientRegistered', OAuthClientRegistered>
  | EventEnvelope<'OAuthClientRevoked', OAuthClientRevoked>
  | EventEnvelope<'OAuthTokenRevoked', OAuthTokenRevoked>
  | EventEnvelope<'OAuthFamilyBegan', OAuthFamilyBegan>
  | EventEnvelope<'OAuthFamilyRevoked', OAuthFamilyRevoked>
  | EventEnvelope<'ExternalSubjectLinked', ExternalSubjectLinked>
  | EventEnvelope<'ExternalSubjectUnlinked', ExternalSubjectUnlinked>
  | EventEnvelope<'AccountErased', AccountErased>;

/** Facts of plans, which are of no account; they are in the same topic, each plan under a key of its own. */
export type RateLimitPlanEvent =
  | EventEnvelope<'RateLimitPlanChanged', RateLimitPlanChanged>
  | EventEnvelope<'RateLimitPlanRemoved', RateLimitPlanRemoved>;
