import type { AccountId, JsonObject } from '@capability-router/kernel';
import type pg from 'pg';
import type { ExceptionAction, QueuedKind } from './domain/exception-kinds.js';

/** An exception with what the money says of it now. */
export interface ExceptionRow {
  readonly exception_id: string;
  readonly exception_seq: string;
  readonly execution_id: string;
  readonly account_id: AccountId;
  readonly kind: QueuedKind;
  readonly requested_micro: string;
  readonly raised_at: Date;
  readonly is_open: boolean;
  readonly settled_micro: string | null;
  readonly ledger_entry_id: string | null;
  readonly refunded_micro: string;
  readonly last_action: ExceptionAction | null;
  readonly closed_at: Date | null;
}

const selectSql = `
SELECT x.exception_id, x.exception_seq, x.execution_id, x.account_id, x.kind, x.requested_micro, x.raised_at,
       o.exception_seq IS NOT NULL AS is_open, s.settled_micro, s.ledger_entry_id,
       COALESCE((SELECT sum(r.amount_micro) FROM lot_restores r WHERE r.unwound_entry_id = s.ledger_entry_id), 0)::text
         AS refunded_micro,
       a.action AS last_action, a.acted_at AS closed_at`;
const joinsSql = `
  LEFT JOIN settlements s ON s.source_ref_id = x.execution_id AND s.account_id = x.account_id
  LEFT JOIN LATERAL (
    SELECT action, acted_at FROM settlement_exception_actions
     WHERE exception_id = x.exception_id ORDER BY action_seq DESC LIMIT 1) AS a ON true`;

export interface ExceptionFilter {
  readonly state: 'open' | 'closed' | 'all';
  readonly kind?: QueuedKind | undefined;
  readonly accountId?: string | undefined;
  readonly executionId?: string | undefined;
}

/** Newest first. The open ones are found in their own table, however many were ever closed. */
export async function listExceptions(
  pool: pg.Pool,
  filter: ExceptionFilter,
  range: { readonly beforeSeq: string | undefined; readonly rows: number },
): Promise<ExceptionRow[]> {
  const values: unknown[] = [range.rows];
  const conditions: string[] = [];
  const and = (condition: string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition.replace('?', `$${values.length}`));
  };
  // Whichever table leads has its sequence, so that the page is read in its order.
  const lead = filter.state === 'open' ? 'o' : 'x';
  and(`${lead}.exception_seq < ?::bigint`, range.beforeSeq);
  and(`${lead}.kind = ?`, filter.kind);
  and('x.account_id = ?', filter.accountId);
  and('x.execution_id = ?', filter.executionId);
  if (filter.state === 'closed') conditions.push('o.exception_seq IS NULL');
  const from =
    filter.state === 'open'
      ? 'FROM open_exceptions o JOIN settlement_exceptions x USING (exception_id)'
      : 'FROM settlement_exceptions x LEFT JOIN open_exceptions o USING (exception_id)';
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const { rows } = await pool.query<ExceptionRow>(
    `${selectSql} ${from} ${joinsSql} ${where} ORDER BY ${lead}.exception_seq DESC LIMIT $1`,
    values,
  );
  return rows;
}

export async function findException(
  db: pg.Pool | pg.PoolClient,
  exceptionId: string,
): Promise<ExceptionRow | undefined> {
  const { rows } = await db.query<ExceptionRow>(
    `${selectSql} FROM settlement_exceptions x LEFT JOIN open_exceptions o USING (exception_id) ${joinsSql}
      WHERE x.exception_id = $1`,
    [exceptionId],
  );
  return rows[0];
}

const lockOpenSql = 'SELECT FROM open_exceptions WHERE exception_id = $1 FOR UPDATE';

/** Waits for whoever acts on it, where it is open: what is read and timed afterwards is not older than that. */
export async function lockOpenException(tx: pg.PoolClient, exceptionId: string): Promise<void> {
  await tx.query(lockOpenSql, [exceptionId]);
}

export interface ActionRow {
  readonly action: ExceptionAction;
  readonly amount_micro: string | null;
  readonly reference: string | null;
  readonly acted_by: string;
  readonly acted_at: Date;
  /** Gone after the account's erasure. */
  readonly note: string | null;
  readonly answer: JsonObject | null;
}

const historySql = `
SELECT a.action, a.amount_micro, a.reference, a.acted_by, a.acted_at, c.note, c.answer
  FROM settlement_exception_actions a LEFT JOIN admin_commands c USING (idempotency_key)
 WHERE a.exception_id = $1 ORDER BY a.action_seq`;

/** Oldest first. */
export async function readActions(pool: pg.Pool, exceptionId: string): Promise<ActionRow[]> {
  return (await pool.query<ActionRow>(historySql, [exceptionId])).rows;
}

export interface NewAction {
  readonly action: ExceptionAction;
  readonly amountMicro: bigint | null;
  readonly reference: string | undefined;
  readonly actedBy: string;
  readonly idempotencyKey: string | undefined;
  readonly actedAt: string;
}

/** Taking it from the queue is what makes an action the only one: of two at once, the second finds nothing to take. */
const closeSql = `
WITH closed AS (
  DELETE FROM open_exceptions WHERE exception_id = ANY($1) RETURNING exception_id
)
INSERT INTO settlement_exception_actions
  (exception_id, action_seq, action, amount_micro, reference, acted_by, idempotency_key, acted_at)
SELECT exception_id,
       COALESCE((SELECT max(action_seq) FROM settlement_exception_actions a WHERE a.exception_id = closed.exception_id), 0) + 1,
       $2, $3, $4, $5, $6, $7
  FROM closed`;

/** @returns how many of them were open */
export async function closeExceptions(tx: pg.PoolClient, ids: readonly string[], action: NewAction): Promise<number> {
  const { rowCount } = await tx.query(closeSql, [
    ids,
    action.action,
    action.amountMicro?.toString() ?? null,
    action.reference ?? null,
    action.actedBy,
    action.idempotencyKey ?? null,
    action.actedAt,
  ]);
  return rowCount ?? 0;
}
