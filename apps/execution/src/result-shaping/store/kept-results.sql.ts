import type { Queryable } from '@capability-router/event-store';
import type { ResultKey } from './result-store.js';

/** Rows that one statement gives. */
export const BATCH_ROWS = 1_000;

/** A result of the same execution is replaced. */
export async function addResult(
  db: Queryable,
  { executionId, accountId }: ResultKey,
  sizeBytes: number,
  storedAt: Date,
): Promise<void> {
  await db.query({
    name: 'add_stored_result',
    text: `
INSERT INTO stored_results (execution_id, account_id, size_bytes, stored_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (execution_id) DO UPDATE SET size_bytes = excluded.size_bytes, stored_at = excluded.stored_at`,
    values: [executionId, accountId, sizeBytes, storedAt],
  });
}

export async function forgetResults(db: Queryable, keys: readonly ResultKey[]): Promise<void> {
  await db.query('DELETE FROM stored_results WHERE execution_id = ANY($1::text[])', [
    keys.map(({ executionId }) => executionId),
  ]);
}

export async function forgetResultsOf(db: Queryable, accountId: string): Promise<void> {
  await db.query('DELETE FROM stored_results WHERE account_id = $1', [accountId]);
}

/** Is the result in the books? */
export async function isKnown(db: Queryable, { executionId }: ResultKey): Promise<boolean> {
  const { rows } = await db.query('SELECT FROM stored_results WHERE execution_id = $1', [executionId]);
  return rows.length > 0;
}

/** All that an account has in the books. */
export async function totalOf(
  db: Queryable,
  accountId: string,
): Promise<{ readonly bytes: bigint; readonly results: number }> {
  const { rows } = await db.query<{ bytes: string; results: string }>({
    name: 'stored_results_of_account',
    text: `
SELECT coalesce(sum(size_bytes), 0)::text AS bytes, count(*)::text AS results
  FROM stored_results WHERE account_id = $1`,
    values: [accountId],
  });
  return { bytes: BigInt(rows[0]?.bytes ?? 0), results: Number(rows[0]?.results) };
}

/** Bytes of all results of all accounts. */
export async function totalBytes(db: Queryable): Promise<bigint> {
  const { rows } = await db.query<{ bytes: string }>(
    `SELECT coalesce(sum(size_bytes), 0)::text AS bytes FROM stored_results`,
  );
  return BigInt(rows[0]?.bytes ?? 0);
}

/** The oldest results of an account above its share, up to `BATCH_ROWS`. */
export const findAboveShare = (
  db: Queryable,
  accountId: string,
  { maxBytes, maxResults }: { readonly maxBytes: number; readonly maxResults: number },
): Promise<ResultKey[]> =>
  findKeys(
    db,
    `
SELECT account_id, execution_id FROM (
  SELECT account_id, execution_id, stored_at, sum(size_bytes) OVER newest AS bytes, row_number() OVER newest AS place
    FROM stored_results WHERE account_id = $1
  WINDOW newest AS (ORDER BY stored_at DESC, execution_id DESC)
) r WHERE bytes > $2 OR place > $3
ORDER BY stored_at LIMIT ${BATCH_ROWS}`,
    [accountId, maxBytes, maxResults],
  );

/**
 * The results that go when all together are too much, up to `BATCH_ROWS`: of each result, what its account stored from then on is
 * counted, and those with the highest count go first. So whoever has the most loses the oldest of theirs, until nobody has more than
 * others.
 */
export const findAboveTotal = (db: Queryable, bytesToFree: bigint): Promise<ResultKey[]> =>
  findKeys(
    db,
    `
SELECT account_id, execution_id FROM (
  SELECT *, sum(size_bytes) OVER (ORDER BY since DESC, execution_id) - size_bytes AS freed_before FROM (
    SELECT account_id, execution_id, size_bytes,
           sum(size_bytes) OVER (PARTITION BY account_id ORDER BY stored_at DESC, execution_id DESC) AS since
      FROM stored_results
  ) s
) r WHERE freed_before < $1
ORDER BY freed_before LIMIT ${BATCH_ROWS}`,
    [String(bytesToFree)],
  );

/** The oldest results that were stored before a time, up to `BATCH_ROWS`. */
export const findStoredBefore = (db: Queryable, before: Date): Promise<ResultKey[]> =>
  findKeys(
    db,
    `
SELECT account_id, execution_id FROM stored_results WHERE stored_at < $1 ORDER BY stored_at LIMIT ${BATCH_ROWS}`,
    [before],
  );

async function findKeys(db: Queryable, text: string, values: unknown[]): Promise<ResultKey[]> {
  const { rows } = await db.query<{ account_id: ResultKey['accountId']; execution_id: ResultKey['executionId'] }>(
    text,
    values,
  );
  return rows.map((row) => ({ accountId: row.account_id, executionId: row.execution_id }));
}
