import type { AccountKind } from '@capability-router/contracts';
import type { AccountStatus } from '../accounts/account.js';
import type { KeyProjectColumns } from '../projects/project.js';
import type { RatePlanColumns } from '../rate-limit-plans/rate-limit-plan.js';
import type { KeyBudgetColumns } from './key-budgets.js';

/** Characters. */
export const MAX_KEY_NAME_LENGTH = 80;
/** Keys of one account that are neither revoked nor expired. */
export const MAX_ACTIVE_KEYS_PER_ACCOUNT = 100;

/** A key as one look-up by its hash yields it. */
export interface KeyRecord extends KeyBudgetColumns, KeyProjectColumns, RatePlanColumns {
  readonly apiKeyId: string;
  readonly accountId: string;
  readonly accountKind: AccountKind;
  readonly accountStatus: AccountStatus;
  /** The account is blocked for non-payment. */
  readonly paymentRequired: boolean;
  /** ISO 3166-1 alpha-2. */
  readonly region: string | null;
  readonly name: string;
  readonly maskedValue: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A key counts while it is neither revoked nor expired and its account is active. */
export function isUsable(key: Pick<KeyRecord, 'accountStatus' | 'expiresAt' | 'revokedAt'>, nowMs: number): boolean {
  if (key.revokedAt !== null || key.accountStatus !== 'active') return false;
  return key.expiresAt === null || key.expiresAt.getTime() > nowMs;
}
