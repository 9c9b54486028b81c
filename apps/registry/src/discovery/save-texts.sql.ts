import type pg from 'pg';
import type { Discovery } from './discovery.js';

/** What the event must not hold, in tables that can be erased; one statement. */
export async function saveTexts(pool: pg.Pool, discovery: Discovery): Promise<void> {
  const returned = discovery.kind === 'search' && discovery.refusal === undefined;
  await pool.query(
    `WITH result AS (
       INSERT INTO search_results (search_id, account_id, tool_ids, created_at)
       SELECT $5::text, $2, $6::text[], $7::timestamptz WHERE $5::text IS NOT NULL
       ON CONFLICT DO NOTHING
     )
     INSERT INTO discovery_payloads (usage_event_id, account_id, query, request_payload, created_at)
     VALUES ($1, $2, $3, $4, $7::timestamptz) ON CONFLICT DO NOTHING`,
    [
      discovery.usageEventId,
      discovery.account.accountId,
      discovery.query ?? null,
      JSON.stringify(discovery.requestPayload),
      returned ? discovery.searchId : null,
      [...discovery.toolIds],
      discovery.completedAt,
    ],
  );
}
