import type { ForestalledHold } from '@capability-router/contracts';
import type pg from 'pg';

/**
 * Writes holds that were never placed as holds that have ended, so that one that comes late meets its own id and is a
 * conflict, and notes them, because they are removed after a day. One that is being placed by another transaction is waited for, and stays as that transaction leaves it.
 *
 * $1 execution or search ids · $2 account ids · $3 amounts · $4 now
 */
const forestallHoldsSql = `
WITH forestalled AS (
  INSERT INTO holds (execution_id, account_id, amount_micro, state, inquire_after, placed_at, ended_at)
  SELECT v.*, 'released', $4, $4, $4 FROM unnest($1::text[], $2::text[], $3::bigint[]) AS v (execution_id, account_id, amount_micro)
   ORDER BY execution_id
  ON CONFLICT (execution_id) DO NOTHING
  RETURNING execution_id
)
INSERT INTO forestalled_holds (execution_id, forestalled_at) SELECT execution_id, $4 FROM forestalled`;

/** Holds that are there already are left as they are: whoever forestalls them releases them next. */
export async function forestallHolds(pool: pg.Pool, holds: readonly ForestalledHold[], now: Date): Promise<void> {
  if (holds.length === 0) return;
  await pool.query(forestallHoldsSql, [
    holds.map(({ billableId }) => billableId),
    holds.map(({ accountId }) => accountId),
    holds.map(({ amountMicroCredits }) => amountMicroCredits),
    now,
  ]);
}
