import type { AccountErased, EventEnvelope } from '@capability-router/contracts';
import { toIso, type Clock } from '@capability-router/kernel';
import type pg from 'pg';

/** Accounts that one round erases; the next goes on. */
const MAX_ACCOUNTS_PER_ROUND = 20;
/** Milliseconds between two looks for rows of an erased account. */
const LOOK_AGAIN_AFTER_MS = 600_000;
/** Milliseconds after the erasure at which nothing of the account can be on its way any more. */
const SETTLED_AFTER_MS = 3_600_000;
/** Milliseconds until an account is tried again whose rows could not be removed. */
const RETRY_AFTER_MS = 30_000;

/** For the migration of a service that keeps what can be erased. The application role may write to it. */
export const accountErasuresSql = `
CREATE TABLE erased_accounts (
  account_id TEXT        PRIMARY KEY,
  erased_at  TIMESTAMPTZ NOT NULL,
  due_at     TIMESTAMPTZ
);
COMMENT ON COLUMN erased_accounts.due_at IS 'When to look again for rows of the account; NULL: never again.';
CREATE INDEX erased_accounts_due ON erased_accounts (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX erased_accounts_by_age ON erased_accounts (erased_at);
`;

/**
 * Notes in the caller's transaction whom identity has erased. What is kept of them is removed by `eraseDueAccounts`, outside
 * of the batch. The time is ours: what the event says may lie days back. An account that is told of again after its last
 * look, as all are where topics are published again, is due once more: events of before its erasure may have come again, too.
 */
export async function noteErasedAccounts(
  tx: pg.PoolClient,
  events: readonly EventEnvelope[],
  clock: Clock,
): Promise<void> {
  const accountIds = events
    .filter((event) => event.type === 'AccountErased')
    .map((event) => (event.data as unknown as AccountErased).accountId);
  if (accountIds.length === 0) return;
  await tx.query(
    `INSERT INTO erased_accounts (account_id, erased_at, due_at)
     SELECT id, $2::timestamptz, $2::timestamptz FROM unnest($1::text[]) AS id ORDER BY id
     ON CONFLICT (account_id) DO UPDATE SET due_at = EXCLUDED.due_at WHERE erased_accounts.due_at IS NULL`,
    [[...new Set(accountIds)], toIso(clock.nowMs())],
  );
}

export interface ErasureTimes {
  /** Default: ten minutes. */
  readonly lookAgainAfterMs?: number;
  /** Default: an hour. */
  readonly settledAfterMs?: number;
}

/**
 * Calls `forget` for every account that is due; replicas share the work. What was under way when the account was erased
 * may still write a row, so each is due again until it is settled, also when this replica dies in the middle. An account
 * that fails does not keep others waiting. Resolves to the sum of what `forget` removed.
 */
export async function eraseDueAccounts(
  pool: pg.Pool,
  clock: Clock,
  forget: (accountId: string) => Promise<number>,
  times: ErasureTimes = {},
): Promise<number> {
  const { lookAgainAfterMs = LOOK_AGAIN_AFTER_MS, settledAfterMs = SETTLED_AFTER_MS } = times;
  const nowMs = clock.nowMs();
  const accountIds = await claimDue(pool, {
    now: toIso(nowMs),
    dueAgain: toIso(nowMs + lookAgainAfterMs),
    settledBefore: toIso(nowMs - settledAfterMs),
  });
  let removed = 0;
  const failures: unknown[] = [];
  for (const accountId of accountIds) {
    try {
      removed += await forget(accountId);
    } catch (error) {
      failures.push(error);
      await pool.query('UPDATE erased_accounts SET due_at = $2::timestamptz WHERE account_id = $1', [
        accountId,
        toIso(nowMs + RETRY_AFTER_MS),
      ]);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts are not erased yet`);
  return removed;
}

/** Each is due again later; one that is being erased for the last time is not. */
async function claimDue(
  pool: pg.Pool,
  times: { readonly now: string; readonly dueAgain: string; readonly settledBefore: string },
): Promise<string[]> {
  const { rows } = await pool.query<{ account_id: string }>(
    `UPDATE erased_accounts e SET due_at = CASE WHEN e.due_at > e.erased_at AND e.erased_at < $3::timestamptz THEN NULL ELSE $2::timestamptz END
       FROM (SELECT account_id FROM erased_accounts WHERE due_at <= $1::timestamptz
              ORDER BY due_at LIMIT ${MAX_ACCOUNTS_PER_ROUND} FOR UPDATE SKIP LOCKED) due
      WHERE e.account_id = due.account_id RETURNING e.account_id`,
    [times.now, times.dueAgain, times.settledBefore],
  );
  return rows.map((row) => row.account_id);
}
