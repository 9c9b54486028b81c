import type { BudgetPeriod, ValidationDetail } from '@capability-router/contracts';
import { AppError, creditsToNumber, toIso } from '@capability-router/kernel';
import { MAX_ACTIVE_KEYS_PER_ACCOUNT } from './api-key.js';
import type { IssueApiKey, IssueApiKeyResult } from './issue-api-key.js';
import { budgetsOfRow, type KeyBudgets } from './key-budgets.js';
import type { ListedKey } from './list-api-keys.sql.js';
import { lostScopes, type NarrowedKey } from './narrowed-keys.sql.js';

interface Pending {
  /** Not every replica of the gateway has confirmed that it acts by the change. */
  readonly pending?: true;
}

interface BudgetFacts {
  readonly budget?: { readonly amount_credits: number; readonly period: BudgetPeriod };
  readonly session_budget?: { readonly amount_credits: number };
}

interface KeyFacts extends BudgetFacts {
  readonly api_key_id: string;
  readonly name: string;
  readonly masked_value: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  /** The project that the key spends for; absent where it belongs to none. */
  readonly project_id?: string;
}

export interface IssuedKey extends KeyFacts {
  readonly account_id: string;
  readonly expires_at?: string;
  /** Shown this once. */
  readonly api_key: string;
}

export interface ListedKeyFacts extends KeyFacts {
  readonly expires_at?: string;
  readonly revoked_at?: string;
  /** To the minute; absent where it never was. */
  readonly last_used_at?: string;
}

/** A page of an account's own keys. */
export interface OwnKeyList {
  readonly items: readonly ListedKeyFacts[];
  /** Where the next page begins; absent on the last. */
  readonly next_before?: string;
}

export interface RotatedKey extends IssuedKey {
  /** Id of the key before. */
  readonly replaces: string;
  /** When that one ends, or ended. */
  readonly replaced_expires_at: string;
  readonly pending?: true;
}

export interface KeyList {
  readonly items: readonly ListedKeyFacts[];
  /** Are there more keys that have ended? */
  readonly has_more: boolean;
  /** Where their next page begins; absent on the last. */
  readonly next_before?: string;
}

export interface ChangedKey extends BudgetFacts, Pending {
  readonly api_key_id: string;
  readonly account_id: string;
}

/** A key after a grant. */
export interface GrantedKey extends Pending {
  readonly api_key_id: string;
  readonly account_id: string;
  readonly scopes: readonly string[];
}

/** Keys that can do less than when they were issued. */
export interface NarrowedKeyList {
  readonly items: readonly {
    readonly api_key_id: string;
    readonly account_id: string;
    readonly name: string;
    readonly masked_value: string;
    readonly scopes: readonly string[];
    /** Scopes for what the key could do when it was issued and cannot do now. */
    readonly lost_scopes: readonly string[];
    readonly created_at: string;
  }[];
  /** Where the next page begins; absent on the last. */
  readonly next_after?: string;
}

export interface RevokedKey {
  readonly api_key_id: string;
  readonly account_id: string;
  readonly revoked_at: string;
  /** Not every replica of the gateway has confirmed that it refuses the key. */
  readonly pending?: true;
}

export function toIssuedKey(result: IssueApiKeyResult & { status: 'issued' }, command: IssueApiKey): IssuedKey {
  return {
    api_key_id: result.apiKeyId,
    account_id: command.accountId,
    name: command.name,
    api_key: result.apiKey,
    masked_value: result.maskedValue,
    scopes: result.scopes,
    created_at: toIso(command.nowMs),
    ...(command.expiresAtMs === undefined ? {} : { expires_at: toIso(command.expiresAtMs) }),
    ...(command.projectId === undefined ? {} : { project_id: command.projectId }),
    ...budgetFacts(command.budgets ?? {}),
  };
}

export function toKeyList(list: { readonly keys: readonly ListedKey[]; readonly hasMore: boolean }): KeyList {
  const last = list.hasMore ? list.keys.at(-1) : undefined;
  return {
    items: list.keys.map(toListedKey),
    has_more: list.hasMore,
    ...(last === undefined ? {} : { next_before: last.apiKeyId }),
  };
}

/** `keys`: a page of `limit`, and one more where there is a next page. */
export function toOwnKeyList(keys: readonly ListedKey[], limit: number): OwnKeyList {
  const page = keys.slice(0, limit);
  const last = keys.length > limit ? page.at(-1) : undefined;
  return { items: page.map(toListedKey), ...(last === undefined ? {} : { next_before: last.apiKeyId }) };
}

const toListedKey = (key: ListedKey): ListedKeyFacts => ({
  api_key_id: key.apiKeyId,
  name: key.name,
  masked_value: key.maskedValue,
  scopes: key.scopes,
  created_at: key.issuedAt.toISOString(),
  ...(key.expiresAt === null ? {} : { expires_at: key.expiresAt.toISOString() }),
  ...(key.revokedAt === null ? {} : { revoked_at: key.revokedAt.toISOString() }),
  ...(key.lastUsedAt === null ? {} : { last_used_at: key.lastUsedAt.toISOString() }),
  ...(key.projectId === null ? {} : { project_id: key.projectId }),
  ...budgetFacts(budgetsOfRow(key)),
});

/** `keys`: a page of `limit`, and one more where there is a next page. */
export function toNarrowedKeyList(keys: readonly NarrowedKey[], limit: number): NarrowedKeyList {
  const page = keys.slice(0, limit);
  const last = keys.length > limit ? page.at(-1) : undefined;
  const items = page.map((key) => ({
    api_key_id: key.apiKeyId,
    account_id: key.accountId,
    name: key.name,
    masked_value: key.maskedValue,
    scopes: key.scopes,
    lost_scopes: lostScopes(key.scopes),
    created_at: key.issuedAt.toISOString(),
  }));
  return { items, ...(last === undefined ? {} : { next_after: last.apiKeyId }) };
}

export function budgetFacts({ key, session }: KeyBudgets): BudgetFacts {
  return {
    ...(key === undefined ? {} : { budget: { amount_credits: creditsToNumber(key.amount), period: key.period } }),
    ...(session === undefined ? {} : { session_budget: { amount_credits: creditsToNumber(session.amount) } }),
  };
}

const noSuchProject = 'The account has no such project. Make it first.';
const unknownProject: ValidationDetail = { type: 'value_error', loc: ['body', 'project_id'], msg: noSuchProject };

const refusals = {
  unknown_account: () => new AppError('not_found'),
  unknown_project: () => new AppError('validation_error', noSuchProject, { details: [unknownProject] }),
  account_not_active: () => new AppError('conflict', 'The account is not active.'),
  too_many_keys: () =>
    new AppError('conflict', `The account has ${MAX_ACTIVE_KEYS_PER_ACCOUNT} active keys. Revoke one first.`),
};

export const issueRefusal = (status: keyof typeof refusals): AppError => refusals[status]();
