import { topicNames, type ExecutionStarted } from '@capability-router/contracts';
import { txOrderSql, type Queryable } from '@capability-router/event-store';
import { isOpenSql } from '../../closed-accounts/closed-accounts.sql.js';
import type { KeyClaim } from '../request/domain/key-claim.js';
import { START_COMMIT_MARGIN_MS, START_WINDOW_MS } from '../domain/deadlines.js';
import { eventColumns, keyless, metaSql, toJsonList, type KeyedSql } from './journal-statement.sql.js';

/** An execution that is to be put on record. */
export interface Start {
  readonly started: ExecutionStarted;
  readonly eventId: string;
  readonly ownerId: string;
  /** Milliseconds from now after which it is given up, whoever runs it. */
  readonly giveUpMs: number;
  readonly claim: KeyClaim | undefined;
  /** The end of the execution takes it over. */
  readonly traceparent: string | undefined;
}

/** Was the id minted within these milliseconds? Its first 48 bits are its time (UUIDv7), the clock is the database's. */
const isYoungerSql = (id: string, ms: number): string =>
  `('x' || substr(${id}, 6, 12))::bit(48)::bigint > extract(epoch FROM clock_timestamp()) * 1000 - ${ms}`;

/**
 * May the start of an execution that is not on record still be written? Once it may not, it never is: the start of an id
 * that is too old is not written, however late the request for it comes.
 */
export const mayStillStartSql = (id: string): string => isYoungerSql(id, START_WINDOW_MS + START_COMMIT_MARGIN_MS);

const startSql = (keyed: KeyedSql): string => `
WITH input AS (
  SELECT * FROM ROWS FROM (
    unnest($1::text[], $2::uuid[], $4::text[], $6::timestamptz[], $7::text[], $8::double precision[], $9::text[]${keyed.arrays}),
    jsonb_array_elements($5::jsonb)
  ) AS i(execution_id, event_id, account_id, recorded_at, owner_id, give_up_ms, traceparent${keyed.columns}, data)
   WHERE ${isYoungerSql('execution_id', START_WINDOW_MS)} AND ${isOpenSql('i.account_id')}
)${keyed.effect}, started AS (
  INSERT INTO events (${eventColumns})
  SELECT ${txOrderSql()}, event_id, execution_id, 1, 'ExecutionStarted', 'execution', $3, account_id, data, ${metaSql('traceparent')}, recorded_at
    FROM input ${keyed.condition ?? ''} ORDER BY execution_id
  ON CONFLICT (stream_id, sequence) DO NOTHING
  RETURNING event_id
), running AS (
  INSERT INTO running_executions (execution_id, owner_id, give_up_at)
  SELECT execution_id, owner_id, clock_timestamp() + give_up_ms * interval '1 millisecond'
    FROM input JOIN started USING (event_id)
)
SELECT event_id FROM started`;

/**
 * $1 execution ids · $2 event ids · $3 topic · $4 account ids · $5 a JSON list of data · $6 times · $7 owners
 * $8 milliseconds until given up · $9 trace contexts
 */
const startExecutionsSql = startSql(keyless);

/**
 * An execution whose idempotency key is taken, also by another of the group, does not start, and the others do. Keys go
 * in order, so that two groups with the same keys wait for each other and never in a ring.
 *
 * $10 routes · $11 keys · $12 fingerprints · $13 milliseconds for which a key is remembered
 */
const startKeyedExecutionsSql = startSql({
  arrays: ', $10::text[], $11::text[], $12::text[], $13::double precision[]',
  columns: ', route, key, fingerprint, remember_ms',
  effect: `, taken AS (
  INSERT INTO idempotency_keys (account_id, route, key, fingerprint, execution_id, expires_at)
  SELECT account_id, route, key, fingerprint, execution_id, clock_timestamp() + remember_ms * interval '1 millisecond'
    FROM input WHERE key IS NOT NULL ORDER BY account_id, route, key
  ON CONFLICT (account_id, route, key) DO NOTHING
  RETURNING execution_id
)`,
  condition: 'WHERE key IS NULL OR execution_id IN (SELECT execution_id FROM taken)',
});

/**
 * Writes starts with their rows among the running executions, in one statement. Resolves to the event ids that were appended; the start
 * of an id that was minted too long ago is not, nor that of an account which is closed.
 */
export async function startExecutions(db: Queryable, items: readonly Start[]): Promise<ReadonlySet<string>> {
  const values = [
    items.map(({ started }) => started.executionId),
    items.map(({ eventId }) => eventId),
    topicNames.executions,
    items.map(({ started }) => started.accountId),
    toJsonList(items.map(({ started }) => started)),
    items.map(({ started }) => started.startedAt),
    items.map(({ ownerId }) => ownerId),
    items.map(({ giveUpMs }) => giveUpMs),
    items.map(({ traceparent }) => traceparent ?? null),
  ];
  const claims = items.map(({ claim }) => claim);
  const { rows } = await db.query<{ event_id: string }>(
    claims.every((claim) => claim === undefined)
      ? { name: 'start_executions', text: startExecutionsSql, values }
      : {
          name: 'start_keyed_executions',
          text: startKeyedExecutionsSql,
          values: [
            ...values,
            claims.map((claim) => claim?.route ?? null),
            claims.map((claim) => claim?.key ?? null),
            claims.map((claim) => claim?.fingerprint ?? null),
            claims.map((claim) => claim?.lifetimeMs ?? null),
          ],
        },
  );
  return new Set(rows.map((row) => row.event_id));
}

/** Is the id too old for a start? Once true it stays true: the clock is the one by which starts are judged. */
export async function isTooOld(db: Queryable, executionId: string): Promise<boolean> {
  const { rows } = await db.query<{ too_old: boolean }>(
    `SELECT NOT (${isYoungerSql('$1::text', START_WINDOW_MS)}) AS too_old`,
    [executionId],
  );
  return rows[0]?.too_old ?? false;
}
