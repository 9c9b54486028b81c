import { txOrderSql } from '@capability-router/event-store';

const columns = 'tx_order, event_id, stream_id, sequence, type, source, topic, partition_key, data, meta, recorded_at';

/**
 * The start and its row among the running executions, in one statement.
 *
 * $1 execution id · $2 event id · $3 topic · $4 account id · $5 data · $6 time · $7 owner · $8 milliseconds until given up
 */
export const startExecutionSql = `
WITH started AS (
  INSERT INTO events (${columns})
  VALUES (${txOrderSql()}, $2::uuid, $1, 1, 'ExecutionStarted', 'execution', $3, $4, $5::jsonb, '{}'::jsonb, $6::timestamptz)
  ON CONFLICT (stream_id, sequence) DO NOTHING
  RETURNING 1
), running AS (
  INSERT INTO running_executions (execution_id, owner_id, give_up_at)
  SELECT $1, $7, clock_timestamp() + $8::double precision * interval '1 millisecond' FROM started
)
SELECT EXISTS (SELECT 1 FROM started) AS appended`;

const payloadSql = `
  INSERT INTO execution_payloads (usage_event_id, account_id, request_payload, response_summary)
  SELECT $8::uuid, $5, $9::json, $10::json FROM ended WHERE $9::text IS NOT NULL
  ON CONFLICT (usage_event_id) DO NOTHING`;

/**
 * The end of a started execution at expected version 1: the event, the running row and the payloads, in one statement.
 * A second end finds sequence 2 taken and changes nothing.
 *
 * $1 execution id · $2 event id · $3 type · $4 topic · $5 account id · $6 data · $7 time · $8 usage event id
 * $9 request payload · $10 response summary
 */
export const endExecutionSql = `
WITH head AS (
  SELECT tx_order FROM events WHERE stream_id = $1 AND sequence = 1 AND type = 'ExecutionStarted'
), ended AS (
  INSERT INTO events (${columns})
  SELECT ${txOrderSql('head.tx_order')}, $2::uuid, $1, 2, $3, 'execution', $4, $5, $6::jsonb, '{}'::jsonb, $7::timestamptz
    FROM head
  ON CONFLICT (stream_id, sequence) DO NOTHING
  RETURNING 1
), gone AS (
  DELETE FROM running_executions WHERE execution_id = $1 AND EXISTS (SELECT 1 FROM ended)
), kept AS (${payloadSql}
)
SELECT EXISTS (SELECT 1 FROM ended) AS appended`;

/** The only event of an execution that was never started. Parameters as above. */
export const firstAndLastEventSql = `
WITH ended AS (
  INSERT INTO events (${columns})
  VALUES (${txOrderSql()}, $2::uuid, $1, 1, $3, 'execution', $4, $5, $6::jsonb, '{}'::jsonb, $7::timestamptz)
  ON CONFLICT (stream_id, sequence) DO NOTHING
  RETURNING 1
), kept AS (${payloadSql}
)
SELECT EXISTS (SELECT 1 FROM ended) AS appended`;

/** $1 execution id */
export const lastEventSql = `
SELECT type, event_id, data FROM events WHERE stream_id = $1 ORDER BY sequence DESC LIMIT 1`;
