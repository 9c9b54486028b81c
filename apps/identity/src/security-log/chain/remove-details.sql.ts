import type pg from 'pg';

/** Addresses, names and their salts, of what was done to the account and of what it did. The entries stay. */
export async function removeDetails(tx: pg.ClientBase, accountId: string): Promise<void> {
  await tx.query('DELETE FROM security_log_details WHERE account_id = $1 OR actor_account_id = $1', [accountId]);
}
