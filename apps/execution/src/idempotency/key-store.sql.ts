import { wasAskedToRetry } from '@capability-router/contracts';
import type { AccountId, ExecutionId, JsonObject } from '@capability-router/kernel';
import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';
import type { ExecutionEnd, LastEvent } from '../call/journal/domain/execution-end.js';
import type { KeyScope } from '../call/request/domain/key-claim.js';
import type { FoundAnswer } from './kept-answer.js';

type Interrupted = Extract<ExecutionEnd, { type: 'ExecutionInterrupted' }>['data'];
type Completed = Extract<ExecutionEnd, { type: 'ExecutionCompleted' }>['data'];

/** The execution that a key stands for, and its state. */
export type BoundKey = { readonly executionId: ExecutionId; readonly fingerprint: string } & (
  | { readonly state: 'running' }
  | { readonly state: 'answered'; readonly answer: FoundAnswer }
  /** Whoever ran it is gone. */
  | { readonly state: 'interrupted'; readonly end: Interrupted }
  /** It ended, and its answer is not there. */
  | { readonly state: 'lost'; readonly end: Completed }
);

export type FoundKey =
  | { readonly kind: 'bound'; readonly key: BoundKey }
  /** Its request never reached dispatch, or its time is over: the key may be taken again once this is removed. */
  | { readonly kind: 'free'; readonly executionId: ExecutionId };

/** $1 account id · $2 route · $3 key */
const findSql = `
SELECT k.execution_id, k.fingerprint, k.expires_at <= clock_timestamp() AS expired,
       a.body, a.kept_as, a.created_at AS kept_at, last.type, last.data
  FROM idempotency_keys k
  LEFT JOIN idempotent_answers a USING (execution_id)
  LEFT JOIN LATERAL (
    SELECT type, data FROM events
     WHERE a.execution_id IS NULL AND stream_id = k.execution_id ORDER BY sequence DESC LIMIT 1
  ) last ON true
 WHERE k.account_id = $1 AND k.route = $2 AND k.key = $3`;

/** $1 account id · $2 route · $3 key · $4 execution id */
const removeSql = `
DELETE FROM idempotency_keys WHERE account_id = $1 AND route = $2 AND key = $3 AND execution_id = $4`;

/** $1 rows at most */
const sweepSql = (table: string, columns: string): string => `
DELETE FROM ${table} WHERE (${columns}) IN (
  SELECT ${columns} FROM ${table} WHERE expires_at <= clock_timestamp()
   ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`;

const sweepKeysSql = sweepSql('idempotency_keys', 'account_id, route, key');
const sweepAnswersSql = sweepSql('idempotent_answers', 'execution_id');

interface KeyRow {
  readonly execution_id: ExecutionId;
  readonly fingerprint: string;
  readonly expired: boolean;
  readonly body: JsonObject | null;
  readonly kept_as: ExecutionId | null;
  readonly kept_at: Date | null;
  readonly type: LastEvent['type'] | null;
  readonly data: LastEvent['data'] | null;
}

/** Undefined where the key was never taken, or is forgotten. */
export async function findKey(pool: pg.Pool, { accountId, route, key }: KeyScope): Promise<FoundKey | undefined> {
  const { rows } = await pool.query<KeyRow>({
    name: 'find_idempotency_key',
    text: findSql,
    values: [accountId, route, key],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const bound = boundKeyOf(row, accountId as AccountId);
  return bound === undefined ? { kind: 'free', executionId: row.execution_id } : { kind: 'bound', key: bound };
}

/** Lets the key go, unless another request has taken it meanwhile. */
export async function freeKey(
  pool: pg.Pool,
  { accountId, route, key }: KeyScope,
  executionId: ExecutionId,
): Promise<void> {
  await pool.query(removeSql, [accountId, route, key, executionId]);
}

/** Removes keys and answers whose time is over. Returns how many keys. */
export async function sweepIdempotencyKeys(pool: pg.Pool): Promise<number> {
  const sweep = (sql: string): Promise<number> =>
    repeatWhileFull(async (limit) => (await pool.query(sql, [limit])).rowCount ?? 0);
  await sweep(sweepAnswersSql);
  return sweep(sweepKeysSql);
}

function boundKeyOf(row: KeyRow, accountId: AccountId): BoundKey | undefined {
  if (row.expired) return undefined;
  const { execution_id: executionId, fingerprint } = row;
  if (row.body !== null) {
    const keptAtMs = row.kept_at?.getTime() ?? 0;
    const answer = { accountId, executionId, body: row.body, keptAs: row.kept_as ?? undefined, keptAtMs };
    return { executionId, fingerprint, state: 'answered', answer };
  }
  switch (row.type) {
    case 'ExecutionStarted':
      return { executionId, fingerprint, state: 'running' };
    case 'ExecutionCompleted':
      return { executionId, fingerprint, state: 'lost', end: row.data as Completed };
    case 'ExecutionInterrupted': {
      const end = row.data as Interrupted;
      if (wasAskedToRetry(end)) return undefined;
      return { executionId, fingerprint, state: 'interrupted', end };
    }
    default:
      return undefined;
  }
}
