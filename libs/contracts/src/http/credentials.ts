import type { CredentialType } from '../reason-codes.js';

/**
 * The account that the gateway vouches for: the payload of the transaction token (`X-Account-Assertion`, an Ed25519 JWT).
 */
export interface AccountAssertion {
  readonly accountId: string;
  readonly accountKind: 'trial' | 'formal';
  /** `payment_required`: reads go on, and what spends is 402. Absent: `active`; no credential of another account is valid. */
  readonly accountStatus?: 'payment_required';
  readonly credentialType: CredentialType;
  /** The key itself, or the key that a token was issued for, by whose limits the token is held. */
  readonly apiKeyId?: string;
  /** Present on tokens: the OAuth client that they were issued to. */
  readonly oauthClientId?: string;
  /** The project of the account that what the credential does is counted for. */
  readonly projectId?: string;
  readonly scopes: readonly string[];
  /** The credential was issued with the scope `call`, which does not count while its project is closed. */
  readonly projectClosed?: true;
  /** ISO 3166-1 alpha-2; absent where it is not known. */
  readonly region?: string;
  /** Decimal string; a call whose upper bound is above it is refused (`budget_exceeded`). Set for trial accounts. */
  readonly maxCallMicroCredits?: string;
  /** The limits of the credential beside the balance of its account; billing guards them with each hold. */
  readonly budgets?: CredentialBudgets;
  /** Present on delegation tokens: what they may be used for. */
  readonly delegation?: DelegationConstraints;
}

/** Over which a budget counts: without end, or a day or month of UTC. */
export const budgetPeriods = ['total', 'day', 'month'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** Amounts are decimal strings, > 0. A hold stands under at most one budget of each kind. */
export interface CredentialBudgets {
  /** For everything that the credential pays in one period. */
  readonly key?: { readonly limitMicroCredits: string; readonly period: BudgetPeriod };
  /** For each `session_id` that its calls name. */
  readonly session?: { readonly limitMicroCredits: string };
  /** For everything that the credentials of the project `projectId` pay together in one period. */
  readonly project?: { readonly limitMicroCredits: string; readonly period: BudgetPeriod };
  /** For everything that is paid with the delegation token `tokenId`, over its life. */
  readonly delegation?: { readonly tokenId: string; readonly limitMicroCredits: string };
}

/** A request that breaks one of them is 403. Absent members allow everything. */
export interface DelegationConstraints {
  readonly model?: string;
  readonly runId?: string;
  /** At most 100. */
  readonly toolIds?: readonly string[];
  /** At most 100. */
  readonly providerIds?: readonly string[];
}

/** As requests and answers name them. */
export const delegationConstraintNames = ['model', 'run_id', 'tool_ids', 'provider_ids'] as const;
export type DelegationConstraintName = (typeof delegationConstraintNames)[number];

/** Kinds of requests with a credential. Those of one kind and account share one limit per minute. */
export const rateClasses = ['discover', 'inspect', 'probe', 'call', 'read'] as const;
export type AccountRateClass = (typeof rateClasses)[number];

/** Limits that an account has instead of those of the deployment. */
export interface AccountRatePlan {
  readonly name: string;
  /** Requests per minute; where one is absent, that of the deployment holds. */
  readonly perMinute: Readonly<Partial<Record<AccountRateClass, number>>>;
}

/** identity · POST /internal/credentials:verify · callers: gateway */
export interface VerifyCredentialRequest {
  readonly credential: string;
}
export type VerifyCredentialResponse =
  | VerifiedCredential
  | {
      readonly valid: false;
      /** It cannot be told now: its issuer does not answer. */
      readonly undecided?: true;
    };

/** A credential that may be used now. The gateway remembers it for at most 30 s. */
export interface VerifiedCredential {
  readonly valid: true;
  readonly assertion: AccountAssertion;
  /** Both are of API keys. */
  readonly apiKeyName?: string;
  readonly maskedValue?: string;
  /** Absent: the limits of the deployment hold. */
  readonly ratePlan?: AccountRatePlan;
  /** ISO 8601; from then on the credential is not valid. Absent: it has no end. */
  readonly expiresAt?: string;
  /** At most 10 ids of what the credential also depends on, such as a token and its family: if one is revoked, it ends. */
  readonly endsWith?: readonly string[];
}
