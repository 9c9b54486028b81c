import type pg from 'pg';

/** $1 owner id · $2 milliseconds */
const renewSql = `
INSERT INTO execution_owners (owner_id, lease_until)
VALUES ($1, clock_timestamp() + $2::double precision * interval '1 millisecond')
ON CONFLICT (owner_id) DO UPDATE SET lease_until = excluded.lease_until`;

/** By the clock of the database, from now. */
export async function renewLease(pool: pg.Pool, ownerId: string, leaseMs: number): Promise<void> {
  await pool.query(renewSql, [ownerId, leaseMs]);
}

export async function giveUpLease(pool: pg.Pool, ownerId: string): Promise<void> {
  await pool.query('DELETE FROM execution_owners WHERE owner_id = $1', [ownerId]);
}
