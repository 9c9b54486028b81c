import type { EventEnvelope } from '../envelope.js';

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

/** The account is gone. Every service removes what it keeps of it beyond its records of money. */
export interface AccountErased {
  readonly accountId: string;
  readonly erasedAt: string;
}

export type IdentityEvent =
  | EventEnvelope<'AccountOpened', AccountOpened>
  | EventEnvelope<'ApiKeyIssued', ApiKeyIssued>
  | EventEnvelope<'ApiKeyRevoked', ApiKeyRevoked>
  | EventEnvelope<'AccountErased', AccountErased>;
