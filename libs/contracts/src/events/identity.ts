import type { EventEnvelope } from '../envelope.js';
import type { CredentialBudgets } from '../http/internal.js';

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
  readonly openedAt: string;
}

export interface ApiKeyIssued {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly name: string;
  /** `sk-abcd…wxyz` */
  readonly maskedValue: string;
  readonly scopes: readonly string[];
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
  readonly changedAt: string;
}

/** A key may do more than before: the gateway asks about it again. */
export interface ApiKeyScopesGranted {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** All that the key has from now on. */
  readonly scopes: readonly string[];
  /** Account of the administrator who granted it; absent on the first of these events. */
  readonly grantedBy?: string;
  readonly changedAt: string;
}

/** Where the account is has changed: the gateway asks about it again. The region itself stays in identity. */
export interface AccountRegionChanged {
  readonly accountId: string;
  readonly changedAt: string;
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
  | EventEnvelope<'ApiKeyScopesGranted', ApiKeyScopesGranted>
  | EventEnvelope<'AccountRegionChanged', AccountRegionChanged>
  | EventEnvelope<'AccountErased', AccountErased>;
