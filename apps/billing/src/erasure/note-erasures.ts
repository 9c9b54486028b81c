import type { AccountErased, EventEnvelope } from '@capability-router/contracts';
import type { Clock } from '@capability-router/kernel';
import { noteErasedAccounts } from '@capability-router/service-kit';
import type pg from 'pg';
import { lockHeadsOf } from './lock-heads.sql.js';

/**
 * Notes whom identity has erased, under the locks of the ledger: what is granted or imported to such an account is booked
 * before billing notes the erasure, or not at all.
 */
export async function noteErasures(tx: pg.PoolClient, events: readonly EventEnvelope[], clock: Clock): Promise<void> {
  const erased = events
    .filter(({ type }) => type === 'AccountErased')
    .map(({ data }) => (data as unknown as AccountErased).accountId);
  if (erased.length > 0) await lockHeadsOf(tx, erased);
  await noteErasedAccounts(tx, events, clock);
}
