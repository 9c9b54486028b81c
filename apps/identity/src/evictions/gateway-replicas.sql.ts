import { GATEWAY_LEASE_MS, type GatewayReportRequest } from '@capability-router/contracts';
import type pg from 'pg';

/** Milliseconds by which the stamp of a revocation may differ from the database's own time, and more. */
const CLOCK_SLACK_MS = 1_000;
/** Milliseconds after which no gateway can have cached what was revoked. */
export const CACHES_FORGET_AFTER_MS = 60_000;
/** Milliseconds for which reports are kept: longer than anybody asks about them. */
const KEPT_MS = 600_000;

const ms = (milliseconds: number): string => `interval '${milliseconds} milliseconds'`;

// A lease that had lapsed begins anew, which the replica is told: it stops to trust what it had cached until then.
const aliveSql = `
INSERT INTO gateway_replicas AS replica (replica_id, lease_began_at, seen_at)
VALUES ($1, clock_timestamp(), clock_timestamp())
ON CONFLICT (replica_id) DO UPDATE
   SET seen_at = EXCLUDED.seen_at,
       lease_began_at = CASE WHEN replica.seen_at > EXCLUDED.seen_at - ${ms(GATEWAY_LEASE_MS)}
                             THEN replica.lease_began_at ELSE EXCLUDED.lease_began_at END
RETURNING lease_began_at`;
const leaveSql = `DELETE FROM gateway_replicas WHERE replica_id = $1`;
const confirmSql = `
INSERT INTO evictions (subject, replica_id, confirmed_at)
SELECT DISTINCT subject, $1::uuid, clock_timestamp() FROM unnest($2::text[]) AS subject
ON CONFLICT (subject, replica_id) DO UPDATE SET confirmed_at = EXCLUDED.confirmed_at`;

/** Records what a replica of the gateway says of itself. Resolves to the beginning of its lease, undefined where it is leaving. */
export async function recordReport(
  pool: pg.Pool,
  { replicaId, evicted, leaving }: GatewayReportRequest,
): Promise<Date | undefined> {
  if (evicted.length > 0) await pool.query(confirmSql, [replicaId, evicted]);
  const { rows } = await pool.query<{ lease_began_at: Date }>(leaving === true ? leaveSql : aliveSql, [replicaId]);
  return rows[0]?.lease_began_at;
}

const unconfirmedSql = `
SELECT count(*)::int AS unconfirmed
  FROM gateway_replicas replica
 WHERE replica.seen_at > clock_timestamp() - ${ms(GATEWAY_LEASE_MS)}
   AND replica.lease_began_at <= $2::timestamptz + ${ms(CLOCK_SLACK_MS)}
   AND NOT EXISTS (SELECT 1 FROM evictions e WHERE e.subject = $1 AND e.replica_id = replica.replica_id)`;

/**
 * Living replicas that may still use what they cached of a key or an account before it was revoked. To be asked after the
 * revocation is committed: a replica that reports later for the first time asks identity before it trusts any key.
 */
export async function countUnconfirmed(pool: pg.Pool, subject: string, revokedAt: Date): Promise<number> {
  const { rows } = await pool.query<{ unconfirmed: number }>(unconfirmedSql, [subject, revokedAt]);
  return rows[0]?.unconfirmed ?? 0;
}

const purgeSql = `
WITH evictions_gone AS (DELETE FROM evictions WHERE confirmed_at < clock_timestamp() - ${ms(KEPT_MS)})
DELETE FROM gateway_replicas WHERE seen_at < clock_timestamp() - ${ms(KEPT_MS)}`;

/** Forgets replicas that are gone and confirmations that nobody asks about any more. */
export async function purgeReports(pool: pg.Pool): Promise<void> {
  await pool.query(purgeSql);
}
