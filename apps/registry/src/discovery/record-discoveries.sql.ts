import { appendFirstEvents } from '@capability-router/event-store';
import type pg from 'pg';
import { toEvent, type Discovery } from './discovery.js';

/** Texts and results go into tables that can be erased; a search has its results in `search_results` alone. */
const textsSql = `
input AS (
  SELECT * FROM json_to_recordset($9::json) AS i(usage_event_id uuid, account_id text, query text, request_payload jsonb,
    response_summary jsonb, search_id text, tool_ids jsonb, created_at timestamptz)
), results AS (
  INSERT INTO search_results (search_id, account_id, tool_ids, created_at)
  SELECT search_id, account_id, ARRAY(SELECT jsonb_array_elements_text(tool_ids)), created_at
    FROM input WHERE search_id IS NOT NULL
), texts AS (
  INSERT INTO discovery_payloads (usage_event_id, account_id, query, request_payload, response_summary, created_at)
  SELECT usage_event_id, account_id, query, request_payload, response_summary, created_at FROM input
)`;

/** A request under the id that its event has, however often it is written. */
export interface DiscoveryToRecord {
  readonly discovery: Discovery;
  /** UUID. */
  readonly eventId: string;
}

/** Event, texts and results of each request: one statement for all of them, so one commit. */
export function recordDiscoveries(pool: pg.Pool, items: readonly DiscoveryToRecord[]): Promise<void> {
  return appendFirstEvents(
    pool,
    'registry',
    items.map((item) => ({ streamId: item.discovery.usageEventId, event: eventOf(item) })),
    {
      name: 'record-discoveries',
      ctes: textsSql,
      json: JSON.stringify(items.map(({ discovery }) => toRow(discovery))),
    },
  );
}

export const eventOf = ({ discovery, eventId }: DiscoveryToRecord) => ({ ...toEvent(discovery), id: eventId });

function toRow(discovery: Discovery): Record<string, unknown> {
  const { kind, refusal, toolIds } = discovery;
  const answered = refusal === undefined;
  return {
    usage_event_id: discovery.usageEventId,
    account_id: discovery.account.accountId,
    query: discovery.query,
    request_payload: discovery.requestPayload,
    ...(answered && kind === 'inspect' ? { response_summary: { total: toolIds.length, tool_ids: toolIds } } : {}),
    ...(answered && kind === 'search' ? { search_id: discovery.searchId, tool_ids: toolIds } : {}),
    created_at: discovery.completedAt,
  };
}
