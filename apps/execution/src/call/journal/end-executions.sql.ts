import { topicNames } from '@capability-router/contracts';
import { txOrderSql, type Queryable } from '@capability-router/event-store';
import { usageEventIdOf, type ExecutionId } from '@capability-router/kernel';
import type { ExecutionEnd, Payloads } from './domain/execution-end.js';
import { eventColumns, keyless, metaSql, toJson, toJsonList, type KeyedSql } from './journal-statement.sql.js';

/** An execution whose end is to be put on record. */
export interface End {
  readonly end: ExecutionEnd;
  readonly eventId: string;
  readonly payloads: Payloads | undefined;
}

const endSql = (keyed: KeyedSql): string => `
WITH input AS (
  SELECT * FROM ROWS FROM (
    unnest($1::text[], $2::uuid[], $3::text[], $5::text[], $7::timestamptz[], $8::uuid[], $9::text[], $10::text[]${keyed.arrays}),
    jsonb_array_elements($6::jsonb)
  ) AS i(execution_id, event_id, type, account_id, recorded_at, usage_event_id, request, response${keyed.columns}, data)
), ended AS (
  INSERT INTO events (${eventColumns})
  SELECT ${txOrderSql('head.tx_order')}, input.event_id, execution_id, 2, input.type, 'execution', $4, account_id, input.data, head.meta, input.recorded_at
    FROM input
   CROSS JOIN LATERAL (
     SELECT tx_order, meta FROM events WHERE stream_id = execution_id AND sequence = 1 AND type = 'ExecutionStarted' LIMIT 1
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
 * $1 execution ids · $2 event ids · $3 types · $4 topic · $5 account ids · $6 a JSON list of data · $7 times
 * $8 usage event ids · $9 request payloads · $10 response summaries
 */
const endExecutionsSql = endSql(keyless);

/**
 * Where the answers of some are kept for their idempotency keys, only the answer of the end that wins is.
 *
 * $11 answers · $12 where they are kept whole · $13 milliseconds for which they are kept
 */
const endKeyedExecutionsSql = endSql({
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
 * Writes the ends of started executions at expected version 1: events, running rows and payloads, in one statement. Resolves to the
 * event ids that were appended; a second end of an execution finds sequence 2 taken and changes nothing. Rows go by execution id,
 * so that two groups with the same executions wait for each other and never in a ring. The head of each stream is looked up by
 * itself: joined, a plan made while the table was empty reads the whole of it for every group.
 */
export async function endExecutions(db: Queryable, items: readonly End[]): Promise<ReadonlySet<string>> {
  const values = [
    items.map(({ end }) => end.data.executionId),
    items.map(({ eventId }) => eventId),
    items.map(({ end }) => end.type),
    topicNames.executions,
    items.map(({ end }) => end.data.accountId),
    toJsonList(items.map(({ end }) => end.data)),
    items.map(({ end }) => end.data.completedAt),
    items.map(({ end }) => usageEventIdOf(end.data.executionId as ExecutionId)),
    items.map(({ payloads }) => payloads?.request ?? null),
    items.map(({ payloads }) => payloads?.response ?? null),
  ];
  const answers = items.map(({ payloads }) => payloads?.answer);
  const { rows } = await db.query<{ event_id: string }>(
    answers.every((answer) => answer === undefined)
      ? { name: 'end_executions', text: endExecutionsSql, values }
      : {
          name: 'end_keyed_executions',
          text: endKeyedExecutionsSql,
          values: [
            ...values,
            answers.map((answer) => answer?.body ?? null),
            answers.map((answer) => answer?.keptAs ?? null),
            answers.map((answer) => answer?.lifetimeMs ?? null),
          ],
        },
  );
  return new Set(rows.map((row) => row.event_id));
}

/**
 * $1 execution id · $2 event id · $3 type · $4 topic · $5 account id · $6 data · $7 time · $8 usage event id
 * $9 request payload · $10 response summary · $11 trace context
 */
const firstAndLastEventSql = `
WITH ended AS (
  INSERT INTO events (${eventColumns})
  VALUES (${txOrderSql()}, $2::uuid, $1, 1, $3, 'execution', $4, $5, $6::jsonb, ${metaSql('$11::text')}, $7::timestamptz)
  ON CONFLICT (stream_id, sequence) DO NOTHING
  RETURNING 1
), kept AS (
  INSERT INTO execution_payloads (usage_event_id, account_id, request_payload, response_summary)
  SELECT $8::uuid, $5, $9::json, $10::json FROM ended WHERE $9::text IS NOT NULL
  ON CONFLICT (usage_event_id) DO NOTHING
)
SELECT EXISTS (SELECT 1 FROM ended) AS appended`;

/** Writes the only event of an execution that was never started. False if the execution already has an event. */
export async function endUnstarted(
  db: Queryable,
  { end, eventId, payloads }: End,
  traceparent?: string,
): Promise<boolean> {
  const { rows } = await db.query<{ appended: boolean }>({
    name: 'end_first',
    text: firstAndLastEventSql,
    values: [
      end.data.executionId,
      eventId,
      end.type,
      topicNames.executions,
      end.data.accountId,
      toJson(end.data),
      end.data.completedAt,
      usageEventIdOf(end.data.executionId as ExecutionId),
      payloads?.request ?? null,
      payloads?.response ?? null,
      traceparent ?? null,
    ],
  });
  return rows[0]?.appended ?? false;
}
