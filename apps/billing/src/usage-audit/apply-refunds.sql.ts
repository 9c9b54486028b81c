import type { ChargeRefunded, EventEnvelope } from '@capability-router/contracts';
import type pg from 'pg';

/**
 * The sum of all refunds of a charge travels with each, and only ever grows: the largest is the latest, however often
 * and in whatever order they come. A refund may come before what it refunds, whose row it then begins.
 */
const refundSql = `
INSERT INTO usage_events (id, account_id, effective_at, recorded, refunded_micro)
SELECT id, account_id, at, false, refunded
  FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::bigint[]) AS v (id, account_id, at, refunded) ORDER BY id
ON CONFLICT (id) DO UPDATE SET refunded_micro = GREATEST(usage_events.refunded_micro, EXCLUDED.refunded_micro)`;

/** Brings refunds of charges into the audit, in the caller's transaction. */
export async function applyRefunds(tx: pg.PoolClient, events: readonly EventEnvelope[]): Promise<void> {
  const latest = new Map<string, ChargeRefunded>();
  for (const { type, data } of events) {
    if (type !== 'ChargeRefunded') continue;
    const refund = data as unknown as ChargeRefunded;
    const before = latest.get(refund.usageEventId);
    if (before === undefined || BigInt(before.refundedMicroCredits) < BigInt(refund.refundedMicroCredits)) {
      latest.set(refund.usageEventId, refund);
    }
  }
  if (latest.size === 0) return;
  const refunds = [...latest.values()];
  await tx.query(refundSql, [
    refunds.map((refund) => refund.usageEventId),
    refunds.map((refund) => refund.accountId),
    refunds.map((refund) => refund.effectiveAt),
    refunds.map((refund) => refund.refundedMicroCredits),
  ]);
}
