import type { Queryable } from '@capability-router/event-store';
import { keyBudgetColumns, type KeyBudgetColumns } from './key-budgets.js';

/** Rows of a page. More than an account can have active, so every active key is on the first. */
export const MAX_KEYS_LISTED = 200;

const listedColumns = `
api_key_id AS "apiKeyId", name, masked_value AS "maskedValue", scopes, issued_at AS "issuedAt",
       expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt", project_id AS "projectId", ${keyBudgetColumns}`;

const hasEnded = '(revoked_at IS NOT NULL OR coalesce(expires_at <= now(), false))';

// Active keys first, then the newest of those that were revoked or have expired; key ids sort by time.
const sql = `
SELECT ${listedColumns}
  FROM api_keys k
 WHERE account_id = $1
 ORDER BY ${hasEnded}, api_key_id DESC
 LIMIT ${MAX_KEYS_LISTED + 1}`;

// The first page has every active key: those after it have ended. One that ends in between is on both.
const endedSql = `
SELECT ${listedColumns}
  FROM api_keys k
 WHERE account_id = $1 AND api_key_id < $2 AND ${hasEnded}
 ORDER BY api_key_id DESC
 LIMIT ${MAX_KEYS_LISTED + 1}`;

const accountSql = `SELECT 1 FROM accounts WHERE account_id = $1`;

export interface ListedKey extends KeyBudgetColumns {
  readonly apiKeyId: string;
  readonly name: string;
  readonly maskedValue: string;
  readonly scopes: readonly string[];
  readonly issuedAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
  readonly projectId: string | null;
}

/** A page of keys: the first, or that of keys that have ended and are older than `before`. Undefined when there is no such account. */
export async function listApiKeys(
  db: Queryable,
  accountId: string,
  before?: string,
): Promise<{ keys: readonly ListedKey[]; hasMore: boolean } | undefined> {
  const { rows } =
    before === undefined
      ? await db.query<ListedKey>(sql, [accountId])
      : await db.query<ListedKey>(endedSql, [accountId, before]);
  if (rows.length === 0 && (await db.query(accountSql, [accountId])).rowCount === 0) return undefined;
  return { keys: rows.slice(0, MAX_KEYS_LISTED), hasMore: rows.length > MAX_KEYS_LISTED };
}

const pageSql = `
SELECT ${listedColumns}
  FROM api_keys k
 WHERE account_id = $1 AND ($2::uuid IS NULL OR api_key_id < $2)
 ORDER BY api_key_id DESC
 LIMIT $3`;

/** Keys of an account, revoked ones too, newest first; those before `before`, where it is given. */
export async function pageOfKeys(
  db: Queryable,
  accountId: string,
  before: string | undefined,
  limit: number,
): Promise<readonly ListedKey[]> {
  return (await db.query<ListedKey>(pageSql, [accountId, before ?? null, limit])).rows;
}
