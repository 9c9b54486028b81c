import type pg from 'pg';
import { USAGE_AUDIT } from './rebuild-tables.sql.js';

/** Changed rows of one transaction. */
export const BATCH_CHANGES = 1_000;
/** Key of the advisory lock; any number, the same in every build. */
const REBUILD_LOCK = 728_415_010;

/** Whether the session got the lock that one rebuild holds. */
export async function tryLockRebuild(session: pg.PoolClient): Promise<boolean> {
  const { rows } = await session.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
    REBUILD_LOCK,
  ]);
  return rows[0]?.locked === true;
}

export const unlockRebuild = (session: pg.PoolClient): Promise<unknown> =>
  session.query('SELECT pg_advisory_unlock($1)', [REBUILD_LOCK]);

/**
 * Analyses the columns that are asked for. Autovacuum learns of the others later: documents and texts are most of what
 * it would read.
 */
const analyzeSql = `
ANALYZE usage_events_next (id, account_id, effective_at, recorded, record_seq, event_type, success, billable_success, outcome,
  reason_code, charge_outcome, effective_micro, search_id, execution_id, api_key_id, ledger_entry_id)`;

export const analyzeBeside = (owner: pg.Pool): Promise<unknown> => owner.query(analyzeSql);

const savePlaceSql = 'UPDATE projection_rebuilds SET after_event = $2, facts = facts + $3 WHERE projection = $1';

/** Everything up to that fact is projected; `facts`: how many more than before. */
export const savePlace = (tx: pg.PoolClient, afterEvent: string, facts: number): Promise<unknown> =>
  tx.query(savePlaceSql, [USAGE_AUDIT, afterEvent, facts]);

/** Counts rows that no fact explains. */
export const countKept = (tx: pg.PoolClient, kept: number): Promise<unknown> =>
  tx.query('UPDATE projection_rebuilds SET kept = kept + $2 WHERE projection = $1', [USAGE_AUDIT, kept]);

const takeChangesSql = `
DELETE FROM usage_event_changes
 WHERE position IN (SELECT position FROM usage_event_changes ORDER BY position LIMIT ${BATCH_CHANGES}) RETURNING id`;

/** Takes the oldest changes from the log. @returns an id for each */
export async function takeChanges(tx: pg.PoolClient): Promise<string[]> {
  return (await tx.query<{ id: string }>(takeChangesSql)).rows.map(({ id }) => id);
}

/** Counted up to `limit`. */
export async function changesLeft(tx: pg.PoolClient, limit: number): Promise<number> {
  const { rows } = await tx.query<{ left: number }>(
    `SELECT count(*)::int AS left FROM (SELECT FROM usage_event_changes LIMIT ${limit}) AS c`,
  );
  return rows[0]?.left ?? 0;
}

/** Ids of live rows that the table beside does not have. */
export async function unexplainedIds(owner: pg.Pool): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    'SELECT id FROM usage_events l WHERE NOT EXISTS (SELECT FROM usage_events_next n WHERE n.id = l.id)',
  );
  return rows.map(({ id }) => id);
}

export const lockLive = (tx: pg.PoolClient): Promise<unknown> =>
  tx.query('LOCK TABLE usage_events IN ACCESS EXCLUSIVE MODE');

/** Until the transaction ends, a statement that waits longer for a lock is given up. */
export const limitLockWaits = (tx: pg.PoolClient, timeoutMs: number): Promise<unknown> =>
  tx.query(`SET LOCAL lock_timeout = ${timeoutMs}`);

/** The commit of the transaction returns before it is on the disk. */
export const commitBeforeTheDisk = (tx: pg.PoolClient): Promise<unknown> =>
  tx.query('SET LOCAL synchronous_commit = off');
