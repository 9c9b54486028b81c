import type { Clock } from '@capability-router/kernel';
import { eraseDueAccounts } from '@capability-router/service-kit';
import type pg from 'pg';
import { forgetLabels, forgetNotes, forgetTexts, MAX_ROWS_PER_STATEMENT } from './erase-accounts.sql.js';

/** Statements for one account in one round; what is left waits for the next look. */
const MAX_STATEMENTS = 2_000;
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
      (await repeatWhileFull(pool, forgetLabels, accountId)) +
      (await repeatWhileFull(pool, forgetNotes, accountId)) +
      (await repeatWhileFull(pool, forgetTexts, accountId)),
    { lookAgainAfterMs: LOOK_AGAIN_AFTER_MS, settledAfterMs: SETTLED_AFTER_MS },
  );
}

async function repeatWhileFull(
  pool: pg.Pool,
  forget: (pool: pg.Pool, accountId: string) => Promise<number>,
  accountId: string,
): Promise<number> {
  let changed = 0;
  for (let statement = 0; statement < MAX_STATEMENTS; statement += 1) {
    const rows = await forget(pool, accountId);
    changed += rows;
    if (rows < MAX_ROWS_PER_STATEMENT) break;
  }
  return changed;
}
