import type { Position, Queryable } from '@capability-router/event-store';

export interface RelayLease {
  readonly relay: string;
  /** Rises with every acquisition: the fencing token of the checkpoint. */
  readonly generation: string;
  readonly position: Position;
}

/** Takes the lease where nobody holds it any more; undefined while someone does. Times are the database's. */
export async function acquireLease(
  db: Queryable,
  relay: string,
  holder: string,
  leaseMs: number,
): Promise<RelayLease | undefined> {
  const { rows } = await db.query<{ generation: string; position: Position }>(
    `INSERT INTO relay_leases AS held (relay, holder, generation, expires_at, position)
     VALUES ($1, $2, 1, clock_timestamp() + $3 * interval '1 millisecond', '')
     ON CONFLICT (relay) DO UPDATE
       SET holder = excluded.holder, generation = held.generation + 1, expires_at = excluded.expires_at
       WHERE held.expires_at < clock_timestamp()
     RETURNING generation::text AS generation, position`,
    [relay, holder, leaseMs],
  );
  const row = rows[0];
  return row === undefined ? undefined : { relay, generation: row.generation, position: row.position };
}

/** Renews the lease and moves the checkpoint from `from` to `to` (equal: only renews). False: the lease is lost. */
export async function checkpoint(
  db: Queryable,
  lease: RelayLease,
  from: Position,
  to: Position,
  leaseMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE relay_leases SET position = $4, expires_at = clock_timestamp() + $5 * interval '1 millisecond'
      WHERE relay = $1 AND generation = $2 AND position = $3`,
    [lease.relay, lease.generation, from, to, leaseMs],
  );
  return rowCount === 1;
}

/** Lets another replica take over at once. */
export async function releaseLease(db: Queryable, lease: RelayLease): Promise<void> {
  await db.query(`UPDATE relay_leases SET expires_at = '-infinity' WHERE relay = $1 AND generation = $2`, [
    lease.relay,
    lease.generation,
  ]);
}
