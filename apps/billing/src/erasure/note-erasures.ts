import type { AccountErased, EventEnvelope } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { noteErasedAccounts } from '@capability-router/service-kit';
import type pg from 'pg';

/** As every writer of the ledger locks them. An account without a head has no balance either: it cannot be granted anything. */
const lockHeadsSql = 'SELECT FROM ledger_heads WHERE account_id = ANY($1) ORDER BY account_id FOR UPDATE';

/**
 * Notes whom identity has erased, under the locks of the ledger: what is granted or imported to such an account is booked
 * before billing notes the erasure, or not at all.
 */
export async function noteErasures(tx: pg.PoolClient, events: readonly EventEnvelope[], clock: Clock): Promise<void> {
  const erased = events
    .filter(({ type }) => type === 'AccountErased')
    .map(({ data }) => (data as unknown as AccountErased).accountId);
  if (erased.length > 0) await tx.query(lockHeadsSql, [erased]);
  await noteErasedAccounts(tx, events, clock);
}
