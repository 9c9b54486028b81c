/** Rows that one statement gives. */
export const BATCH_ROWS = 1_000;

/** $1 execution id · $2 account id · $3 bytes · $4 time */
export const addSql = `
INSERT INTO stored_results (execution_id, account_id, size_bytes, stored_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (execution_id) DO UPDATE SET size_bytes = excluded.size_bytes, stored_at = excluded.stored_at`;

/** $1 execution ids */
export const forgetSql = 'DELETE FROM stored_results WHERE execution_id = ANY($1::text[])';

/** $1 execution id */
export const isKnownSql = 'SELECT FROM stored_results WHERE execution_id = $1';

/** $1 account id */
export const forgetAccountSql = 'DELETE FROM stored_results WHERE account_id = $1';

/** $1 account id */
export const accountTotalSql = `
SELECT coalesce(sum(size_bytes), 0)::text AS bytes, count(*)::text AS results
  FROM stored_results WHERE account_id = $1`;

export const totalSql = `SELECT coalesce(sum(size_bytes), 0)::text AS bytes FROM stored_results`;

/** The oldest of an account above its share. $1 account id · $2 bytes it may have · $3 results it may have */
export const aboveShareSql = `
SELECT account_id, execution_id FROM (
  SELECT account_id, execution_id, stored_at, sum(size_bytes) OVER newest AS bytes, row_number() OVER newest AS place
    FROM stored_results WHERE account_id = $1
  WINDOW newest AS (ORDER BY stored_at DESC, execution_id DESC)
) r WHERE bytes > $2 OR place > $3
ORDER BY stored_at LIMIT ${BATCH_ROWS}`;

/**
 * What goes when all together are too much: of each result, what its account stored from then on is counted, and those
 * with the highest count go first. So whoever has the most loses the oldest of theirs, until nobody has more than others.
 * $1 bytes to set free
 */
export const aboveTotalSql = `
SELECT account_id, execution_id FROM (
  SELECT *, sum(size_bytes) OVER (ORDER BY since DESC, execution_id) - size_bytes AS freed_before FROM (
    SELECT account_id, execution_id, size_bytes,
           sum(size_bytes) OVER (PARTITION BY account_id ORDER BY stored_at DESC, execution_id DESC) AS since
      FROM stored_results
  ) s
) r WHERE freed_before < $1
ORDER BY freed_before LIMIT ${BATCH_ROWS}`;

/** $1 time before which it was stored */
export const expiredSql = `
SELECT account_id, execution_id FROM stored_results WHERE stored_at < $1 ORDER BY stored_at LIMIT ${BATCH_ROWS}`;
