import type { Queryable } from '@capability-router/event-store';

/** $1 account ids · $2 now · $3 rows that came before go */
const addSql = `
WITH outlived AS (DELETE FROM closed_accounts WHERE closed_at < $3)
INSERT INTO closed_accounts (account_id, closed_at)
SELECT id, $2::timestamptz FROM unnest($1::text[]) AS id ORDER BY id ON CONFLICT (account_id) DO NOTHING`;

/** Those that came before `outlivedBefore` are forgotten. */
export async function addClosedAccounts(
  db: Queryable,
  accountIds: readonly string[],
  { now, outlivedBefore }: { readonly now: Date; readonly outlivedBefore: Date },
): Promise<void> {
  await db.query(addSql, [accountIds, now, outlivedBefore]);
}

/** A condition of SQL: an account, named by an expression of it, is not known to be closed. */
export const isOpenSql = (accountId: string): string =>
  `NOT EXISTS (SELECT FROM closed_accounts AS closed WHERE closed.account_id = ${accountId})`;

export async function isClosed(db: Queryable, accountId: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'is_account_closed',
    text: 'SELECT FROM closed_accounts WHERE account_id = $1',
    values: [accountId],
  });
  return rows.length > 0;
}
