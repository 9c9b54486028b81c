import type { AccountKind, AccountState } from '@capability-router/contracts';
import type pg from 'pg';
import { accountStateSql } from '../migrations/account-state.sql.js';

export interface ListedAccount {
  readonly accountId: string;
  readonly kind: AccountKind;
  readonly state: AccountState;
  readonly name: string;
  /** The name by which a page of names goes on. */
  readonly sortName: string;
  readonly email: string | null;
  readonly region: string | null;
  readonly openedAt: Date;
}

const columns = `
account_id AS "accountId", kind, ${accountStateSql} AS state, name, lower(name) AS "sortName", email, region,
       opened_at AS "openedAt"`;

/** Where a page goes on: behind this account. */
export interface AfterAccount {
  readonly accountId: string;
  readonly sortName: string;
}

// Each statement follows one index to its end, so that a page costs its rows, however many accounts there are.
const newestSql = `
SELECT ${columns} FROM accounts WHERE ($1::text IS NULL OR account_id < $1) ORDER BY account_id DESC LIMIT $2`;
const inStateSql = `
SELECT ${columns} FROM accounts WHERE (${accountStateSql}) = $3 AND ($1::text IS NULL OR account_id < $1)
 ORDER BY account_id DESC LIMIT $2`;
// The name is folded as the index is: by the locale of the database, which for "C" folds the letters of ASCII alone. The last of all names that
// begin so has nothing but the last character behind it.
const namedSql = `
SELECT ${columns} FROM accounts
 WHERE lower(name) ~>=~ lower($3::text) AND lower(name) ~<~ (lower($3::text) || $4::text)
   AND (lower(name) ~>~ coalesce($5, lower($3::text)) OR lower(name) = coalesce($5, lower($3::text)) AND account_id > $1)
 ORDER BY lower(name) USING ~<~, account_id LIMIT $2`;
const ofEmailSql = `SELECT ${columns} FROM accounts WHERE email = ANY($1::text[]) ORDER BY array_position($1::text[], email) LIMIT 1`;

/** Accounts, the newest first; `state`: those in this state. */
export async function newestAccounts(
  pool: pg.Pool,
  state: AccountState | undefined,
  after: AfterAccount | undefined,
  limit: number,
): Promise<ListedAccount[]> {
  const values = [after?.accountId ?? null, limit, ...(state === undefined ? [] : [state])];
  return (await pool.query<ListedAccount>(state === undefined ? newestSql : inStateSql, values)).rows;
}

/** Accounts whose name begins so, whatever the case of letters that the database folds, in the order of their names. */
export async function accountsNamed(
  pool: pg.Pool,
  name: string,
  after: AfterAccount | undefined,
  limit: number,
): Promise<ListedAccount[]> {
  const values = [after?.accountId ?? '', limit, name, '\u{10ffff}', after?.sortName ?? null];
  return (await pool.query<ListedAccount>(namedSql, values)).rows;
}

/** `forms`: how the address may stand in the row, the one that goes before others first. */
export async function accountOfEmail(pool: pg.Pool, forms: readonly string[]): Promise<ListedAccount[]> {
  return (await pool.query<ListedAccount>(ofEmailSql, [forms])).rows;
}
