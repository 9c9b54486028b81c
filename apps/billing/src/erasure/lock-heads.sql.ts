import type pg from 'pg';

/** As every writer of the ledger locks them. An account without a head has no balance either: it cannot be granted anything. */
const lockHeadsSql = 'SELECT FROM ledger_heads WHERE account_id = ANY($1) ORDER BY account_id FOR UPDATE';

export async function lockHeadsOf(tx: pg.PoolClient, accountIds: readonly string[]): Promise<void> {
  await tx.query(lockHeadsSql, [accountIds]);
}
