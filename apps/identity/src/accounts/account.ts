import { VERIFICATION_ACCOUNT_ID, type AccountKind, type AccountState } from '@capability-router/contracts';
import { AppError, type AccountId, type Credits } from '@capability-router/kernel';

/** Only an `active` account's keys verify. Whether it is blocked for non-payment is said beside it. */
export const accountStatuses = ['active', 'suspended', 'closed'] as const;
export type AccountStatus = (typeof accountStatuses)[number];

/** The state as callers and events have it: an account that is suspended or closed is nothing else. */
export const stateOf = (account: { readonly status: AccountStatus; readonly paymentRequired: boolean }): AccountState =>
  account.status === 'active' && account.paymentRequired ? 'payment_required' : account.status;

/** Characters. */
export const MAX_ACCOUNT_NAME_LENGTH = 120;

/** The credits that an account starts with. */
export interface InitialGrant {
  readonly category: 'trial' | 'welcome_bonus';
  readonly amount: Credits;
  /** Milliseconds since the epoch; absent where the grant does not expire. */
  readonly expiresAtMs?: number;
}

export interface Account {
  readonly accountId: AccountId;
  readonly kind: AccountKind;
  readonly name: string;
  readonly email?: string;
  /** Addresses of one mailbox share it. */
  readonly emailCanonical?: string;
  /** ISO 3166-1 alpha-2; absent where it is not known. */
  readonly region?: string;
  /** Milliseconds since the epoch. */
  readonly openedAtMs: number;
}

/** `A@B.org ` and `a@b.org` are one address. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/**
 * Nothing opens the account of verification again, so it is neither closed nor erased. A suspension can be lifted.
 * @throws AppError where the account is that one
 */
export function refuseEndOfVerification(accountId: string): void {
  if (accountId !== VERIFICATION_ACCOUNT_ID) return;
  throw new AppError(
    'conflict',
    'The deployment verifies its tools with this account, and no other would take its place. Verification is turned off by VERIFICATION_INTERVAL_HOURS=0, and stopped for a time by suspending the account.',
  );
}
