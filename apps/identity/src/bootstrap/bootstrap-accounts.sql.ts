import type pg from 'pg';

export type BootstrapRole = 'demo' | 'admin';

// Two replicas that start at the same time wait for each other here, until the first has committed.
const lockSql = `LOCK TABLE bootstrap_accounts IN EXCLUSIVE MODE`;
const readSql = `SELECT role, account_id FROM bootstrap_accounts`;
const recordSql = `
INSERT INTO bootstrap_accounts (role, account_id) VALUES ($1, $2)
ON CONFLICT (role) DO UPDATE SET account_id = EXCLUDED.account_id`;

/** The accounts of earlier starts by role; nobody else can add one until the transaction ends. */
export async function findBootstrapAccounts(tx: pg.ClientBase): Promise<ReadonlyMap<BootstrapRole, string>> {
  await tx.query(lockSql);
  const { rows } = await tx.query<{ role: BootstrapRole; account_id: string }>(readSql);
  return new Map(rows.map((row) => [row.role, row.account_id]));
}

/** Takes the place of an earlier account of that role. */
export async function recordBootstrapAccount(tx: pg.ClientBase, role: BootstrapRole, accountId: string): Promise<void> {
  await tx.query(recordSql, [role, accountId]);
}
