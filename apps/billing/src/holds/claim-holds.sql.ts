import type pg from 'pg';

export interface ClaimedHold {
  readonly execution_id: string;
  readonly account_id: string;
}

/**
 * Claims a batch by pushing `inquire_after` on, so that replicas do not ask about the same holds at once and no row
 * stays locked while the owners are asked.
 */
const claimSql = `
UPDATE holds SET inquire_after = $2
 WHERE execution_id IN (
   SELECT execution_id FROM holds WHERE state = 'open' AND inquire_after <= $1
    ORDER BY inquire_after LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING execution_id, account_id`;

/** Open holds whose owner may be asked at `now`; none of them is asked about again before `askAgain`. */
export async function claimHolds(pool: pg.Pool, now: Date, askAgain: Date, limit: number): Promise<ClaimedHold[]> {
  return (await pool.query<ClaimedHold>(claimSql, [now, askAgain, limit])).rows;
}
