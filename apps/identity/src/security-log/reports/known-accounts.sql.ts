import type { Queryable } from '@capability-router/event-store';

const sql = 'SELECT account_id AS id FROM accounts WHERE account_id = ANY($1::text[])';

/** Those of the named accounts that exist: a name that somebody made up begins no chain. */
export async function knownAccounts(
  db: Queryable,
  named: readonly { readonly accountId?: string }[],
): Promise<ReadonlySet<string>> {
  const ids = named.flatMap(({ accountId }) => (accountId === undefined ? [] : [accountId]));
  if (ids.length === 0) return new Set();
  const { rows } = await db.query<{ id: string }>(sql, [ids]);
  return new Set(rows.map(({ id }) => id));
}
