import type { PayloadLookupResponse } from '@capability-router/contracts';
import type { JsonValue } from '@capability-router/kernel';
import type pg from 'pg';

interface PayloadRow {
  usage_event_id: string;
  query: string | null;
  request_payload: JsonValue;
}

/** What is still kept of the account's requests, by usage event id. Another account's are not found. */
export async function findPayloads(
  pool: pg.Pool,
  accountId: string,
  usageEventIds: readonly string[],
): Promise<PayloadLookupResponse['payloads']> {
  const { rows } = await pool.query<PayloadRow>(
    `SELECT usage_event_id, query, request_payload FROM discovery_payloads
      WHERE usage_event_id = ANY($2::uuid[]) AND account_id = $1`,
    [accountId, usageEventIds],
  );
  return Object.fromEntries(
    rows.map((row) => [
      row.usage_event_id,
      { requestPayload: row.request_payload, ...(row.query === null ? {} : { query: row.query }) },
    ]),
  );
}
