import type { Clock } from '@capability-router/kernel';
import { eraseDueAccounts, repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';
import { forgetLabels, forgetNotes, forgetTexts } from './erase-accounts.sql.js';

/** Milliseconds between two looks. */
const LOOK_AGAIN_AFTER_MS = 6 * 3_600_000;
/** Milliseconds: longer than the topics keep events, of which a parked one may be replayed as late as that. */
const SETTLED_AFTER_MS = 31 * 86_400_000;

/** Blanks the audit of every account that is due. The ledger holds no text of a person and stays as it is. */
export function eraseAccounts(pool: pg.Pool, clock: Clock): Promise<number> {
  return eraseDueAccounts(
    pool,
    clock,
    async (accountId) =>
      (await repeatWhileFull((limit) => forgetLabels(pool, accountId, limit))) +
      (await repeatWhileFull((limit) => forgetNotes(pool, accountId, limit))) +
      (await repeatWhileFull((limit) => forgetTexts(pool, accountId, limit))),
    { lookAgainAfterMs: LOOK_AGAIN_AFTER_MS, settledAfterMs: SETTLED_AFTER_MS },
  );
}
