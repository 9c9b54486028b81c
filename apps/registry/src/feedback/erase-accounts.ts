import { toIso, type Clock } from '@capability-router/kernel';
import { eraseDueAccounts, repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';
import { deleteInSteps } from '../retention/delete-in-steps.sql.js';
import { forgetPayloads, forgetResults, forgetUses } from './erasures.sql.js';

/** Days for which late events of an erased account are turned away. Its texts are gone by then in any case. */
const REMEMBERED_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Removes the texts, the results and the share in feedback of every account that is due. Resolves to the rows removed.
 */
export function eraseAccounts(pool: pg.Pool, clock: Clock): Promise<number> {
  return eraseDueAccounts(pool, clock, async (accountId) => {
    let removed = 0;
    for (const forget of [forgetPayloads, forgetResults, forgetUses]) {
      removed += await repeatWhileFull((limit) => forget(pool, accountId, limit));
    }
    return removed;
  });
}

export function sweepErasures(pool: pg.Pool, nowMs: number): Promise<number> {
  const table = { table: 'erased_accounts', key: 'account_id', age: 'erased_at' };
  return deleteInSteps(pool, table, toIso(nowMs - REMEMBERED_DAYS * DAY_MS));
}
