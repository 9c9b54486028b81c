import { txOrderSql } from '@capability-router/event-store';
import { START_COMMIT_MARGIN_MS, START_WINDOW_MS } from '../deadlines.js';

const columns = 'tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at';

/** Was the id minted within these milliseconds? Its first 48 bits are its time (UUIDv7), the clock is the database's. */
const isYoungerSql = (id: string, ms: number): string =>
  `('x' || substr(${id}, 6, 12))::bit(48)::bigint > extract(epoch FROM clock_timestamp()) * 1000 - ${ms}`;

/**
 * May the start of an execution that is not on record still be written? Once it may not, it never is: the start of an id
 * that is too old is not written, however late the request for it comes.
 */
export const mayStillStartSql = (id: string): string => isYoungerSql(id, START_WINDOW_MS + START_COMMIT_MARGIN_MS);

/** What a group writes beside events if one of its executions has an idempotency key; else it does without. */
interface KeyedSql {
  readonly arrays: string;
  readonly columns: string;
  readonly effect: string;
  readonly condition?: string;
}

const keyless: KeyedSql = { arrays: '', columns: '', effect: '' };

const startSql = (keyed: KeyedSql): string => `
WITH input AS (
  SELECT * FROM ROWS FROM (
    unnest($1::text[], $2::uuid[], $4::text[], $6::timestamptz[], $7::text[], $8::double precision[]${keyed.arrays}),
    jsonb_array_elements($5::jsonb)
  ) AS i(execution_id, event_id, account_id, recorded_at, owner_id, give_up_ms${keyed.columns}, data)
   WHERE ${isYoungerSql('execution_id', START_WINDOW_MS)}
)${keyed.effect}, started AS (
  INSERT INTO events (${columns})
  SELECT ${txOrderSql()}, event_id, execution_id, 1, 'ExecutionStarted', 'execution', $3, account_id, data, '{}'::jsonb, recorded_at
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
 * Starts with their rows among the running executions, in one statement. Answers the event ids that were appended;
 * the start of an id that was minted too long ago is not.
 *
 * $1 execution ids · $2 event ids · $3 topic · $4 account ids · $5 a JSON list of data · $6 times · $7 owners
 * $8 milliseconds until given up
 */
export const startExecutionsSql = startSql(keyless);

/**
 * The same where some have an idempotency key: one whose key is taken, also by another of the group, does not start, and
 * the others do. Keys go in order, so that two groups with the same keys wait for each other and never in a ring.
 *
 * $9 routes · $10 keys · $11 fingerprints · $12 milliseconds for which a key is remembered
 */
export const startKeyedExecutionsSql = startSql({
  arrays: ', $9::text[], $10::text[], $11::text[], $12::double precision[]',
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

const endSql = (keyed: KeyedSql): string => `
WITH input AS (
  SELECT * FROM ROWS FROM (
    unnest($1::text[], $2::uuid[], $3::text[], $5::text[], $7::timestamptz[], $8::uuid[], $9::text[], $10::text[]${keyed.arrays}),
    jsonb_array_elements($6::jsonb)
  ) AS i(execution_id, event_id, type, account_id, recorded_at, usage_event_id, request, response${keyed.columns}, data)
), ended AS (
  INSERT INTO events (${columns})
  SELECT ${txOrderSql('head.tx_order')}, input.event_id, execution_id, 2, input.type, 'execution', $4, account_id, input.data, '{}'::jsonb, input.recorded_at
    FROM input
   CROSS JOIN LATERAL (
     SELECT tx_order FROM events WHERE stream_id = execution_id AND sequence = 1 AND type = 'ExecutionStarted' LIMIT 1
   ) AS head
   ORDER BY execution_id
  ON CONFLICT (stream_id, sequence) DO NOTHING
  RETURNING event_id, stream_id
), gone AS (
  DELETE FROM running_executions WHERE execution_id = ANY (ARRAY(SELECT stream_id FROM ended))
), kept AS (
  INSERT INTO execution_payloads (usage_event_id, account_id, request_payload, response_summary)
  SELECT usage_event_id, account_id, request::json, response::json
    FROM input JOIN ended USING (event_id) WHERE request IS NOT NULL
  ON CONFLICT (usage_event_id) DO NOTHING
)${keyed.effect}
SELECT event_id FROM ended`;

/**
 * Ends of started executions at expected version 1: events, running rows and payloads, in one statement. Answers the
 * event ids that were appended; a second end of an execution finds sequence 2 taken and changes nothing. Rows go by
 * execution id, so that two groups with the same executions wait for each other and never in a ring. The head of each
 * stream is looked up by itself: joined, a plan made while the table was empty reads the whole of it for every group.
 *
 * $1 execution ids · $2 event ids · $3 types · $4 topic · $5 account ids · $6 a JSON list of data · $7 times
 * $8 usage event ids · $9 request payloads · $10 response summaries
 */
export const endExecutionsSql = endSql(keyless);

/**
 * The same where the answers of some are kept for their idempotency keys; only the answer of the end that wins is.
 *
 * $11 answers · $12 where they are kept whole · $13 milliseconds for which they are kept
 */
export const endKeyedExecutionsSql = endSql({
  arrays: ', $11::text[], $12::text[], $13::double precision[]',
  columns: ', answer, kept_as, keep_ms',
  effect: `, answered AS (
  INSERT INTO idempotent_answers (execution_id, body, kept_as, expires_at)
  SELECT execution_id, answer::json, kept_as, clock_timestamp() + keep_ms * interval '1 millisecond'
    FROM input JOIN ended USING (event_id) WHERE answer IS NOT NULL
  ON CONFLICT (execution_id) DO NOTHING
)`,
});

/**
 * The only event of an execution that was never started.
 *
 * $1 execution id · $2 event id · $3 type · $4 topic · $5 account id · $6 data · $7 time · $8 usage event id
 * $9 request payload · $10 response summary
 */
export const firstAndLastEventSql = `
WITH ended AS (
  INSERT INTO events (${columns})
  VALUES (${txOrderSql()}, $2::uuid, $1, 1, $3, 'execution', $4, $5, $6::jsonb, '{}'::jsonb, $7::timestamptz)
  ON CONFLICT (stream_id, sequence) DO NOTHING
  RETURNING 1
), kept AS (
  INSERT INTO execution_payloads (usage_event_id, account_id, request_payload, response_summary)
  SELECT $8::uuid, $5, $9::json, $10::json FROM ended WHERE $9::text IS NOT NULL
  ON CONFLICT (usage_event_id) DO NOTHING
)
SELECT EXISTS (SELECT 1 FROM ended) AS appended`;

/** $1 execution id */
export const lastEventSql = `
SELECT type, event_id, data FROM events WHERE stream_id = $1 ORDER BY sequence DESC LIMIT 1`;

/** Once true it stays true: the clock is the one by which starts are judged. $1 execution id */
export const isTooOldSql = `SELECT NOT (${isYoungerSql('$1::text', START_WINDOW_MS)}) AS too_old`;

/** $1 execution id · $2 owner id */
export const isRunningSql = `
SELECT EXISTS (SELECT 1 FROM running_executions WHERE execution_id = $1 AND owner_id = $2) AS running`;
