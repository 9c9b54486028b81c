import type { AccountErased, EventEnvelope } from '@capability-router/contracts';
import { toIso } from '@capability-router/kernel';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { deleteInSteps, repeatWhileFull } from '../retention/delete-in-steps.js';
import { claimErasures, forgetPayloads, forgetUses, noteErasures } from './erasures.sql.js';

/** Milliseconds between two looks for rows of an erased account. */
const LOOK_AGAIN_AFTER_MS = 600_000;
/** Milliseconds after the erasure at which nothing of the account can be on its way any more. */
const SETTLED_AFTER_MS = 3_600_000;
/** Days for which late events of an erased account are turned away. Its texts are gone by then in any case. */
const REMEMBERED_DAYS = 30;
const DAY_MS = 86_400_000;

/** Notes in the caller's transaction who is to be forgotten; nothing more is collected of them from now on. */
export async function noteErasedAccounts(
  tx: pg.PoolClient,
  events: readonly EventEnvelope[],
  clock: Clock,
): Promise<void> {
  const erased = events
    .filter((event) => event.type === 'AccountErased')
    .map((event) => event.data as unknown as AccountErased);
  if (erased.length > 0) await noteErasures(tx, [...new Set(erased.map(({ accountId }) => accountId))], clock);
}

/**
 * Removes the texts and the share in feedback of every account that is due. A search or a charge that was under way when
 * the account was erased may still write a row, so it is looked at again for an hour. Resolves to the rows removed.
 */
export async function eraseAccounts(pool: pg.Pool, clock: Clock): Promise<number> {
  const nowMs = clock.nowMs();
  const accountIds = await claimErasures(pool, {
    now: toIso(nowMs),
    dueAgain: toIso(nowMs + LOOK_AGAIN_AFTER_MS),
    settledBefore: toIso(nowMs - SETTLED_AFTER_MS),
  });
  let removed = 0;
  for (const accountId of accountIds) {
    removed += await repeatWhileFull((limit) => forgetPayloads(pool, accountId, limit));
    removed += await repeatWhileFull((limit) => forgetUses(pool, accountId, limit));
  }
  return removed;
}

export function sweepErasures(pool: pg.Pool, nowMs: number): Promise<number> {
  const table = { table: 'erased_accounts', key: 'account_id', age: 'erased_at' };
  return deleteInSteps(pool, table, toIso(nowMs - REMEMBERED_DAYS * DAY_MS));
}
