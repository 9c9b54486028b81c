import type { PayloadLookupResponse } from '@capability-router/contracts';
import type { JsonValue } from '@capability-router/kernel';
import type pg from 'pg';

interface PayloadRow {
  usage_event_id: string;
  query: string | null;
  request_payload: JsonValue;
  response_summary: JsonValue | null;
}

/** The payloads of the account's requests that are still kept, by usage event id. Another account's are not found. */
export async function findPayloads(
  pool: pg.Pool,
  accountId: string,
  usageEventIds: readonly string[],
): Promise<PayloadLookupResponse['payloads']> {
  const { rows } = await pool.query<PayloadRow>(
    `SELECT p.usage_event_id, p.query, p.request_payload,
            CASE WHEN r.search_id IS NULL THEN p.response_summary
                 ELSE jsonb_build_object('total', cardinality(r.tool_ids), 'tool_ids', to_jsonb(r.tool_ids))
            END AS response_summary
       FROM discovery_payloads p
       -- The usage event of a search has the UUID inside its search id.
       LEFT JOIN search_results r ON r.search_id = 'srch_' || replace(p.usage_event_id::text, '-', '') AND r.account_id = $1
      WHERE p.usage_event_id = ANY($2::uuid[]) AND p.account_id = $1`,
    [accountId, usageEventIds],
  );
  return Object.fromEntries(
    rows.map((row) => [
      row.usage_event_id,
      {
        requestPayload: row.request_payload,
        ...(row.response_summary === null ? {} : { responsePayloadSummary: row.response_summary }),
        ...(row.query === null ? {} : { query: row.query }),
      },
    ]),
  );
}
