import type { JsonValue } from '@capability-router/kernel';
import type { PayloadLookupRequest, PayloadLookupResponse } from '@capability-router/contracts';
import { repeatWhileFull } from '@capability-router/service-kit';
import type pg from 'pg';

/** Ids in one look-up. */
export const MAX_LOOKUP_IDS = 500;

const lookupSql = `
SELECT usage_event_id, request_payload, response_summary FROM execution_payloads
 WHERE account_id = $1 AND usage_event_id = ANY ($2::uuid[])`;

/** $1 days · $2 rows at most */
const sweepSql = `
DELETE FROM execution_payloads WHERE usage_event_id IN (
  SELECT usage_event_id FROM execution_payloads
   WHERE created_at < now() - $1::double precision * interval '1 day' LIMIT $2)`;

/** Payloads of one account; what was erased or is past its retention is left out. */
export async function lookUpPayloads(pool: pg.Pool, request: PayloadLookupRequest): Promise<PayloadLookupResponse> {
  const { rows } = await pool.query<{
    usage_event_id: string;
    request_payload: JsonValue;
    response_summary: JsonValue;
  }>(lookupSql, [request.accountId, request.usageEventIds]);
  return {
    payloads: Object.fromEntries(
      rows.map((row) => [
        row.usage_event_id,
        {
          requestPayload: row.request_payload,
          ...(row.response_summary === null ? {} : { responsePayloadSummary: row.response_summary }),
        },
      ]),
    ),
  };
}

/** Deletes payloads past their retention. Returns how many. */
export function sweepPayloads(pool: pg.Pool, retentionDays: number): Promise<number> {
  return repeatWhileFull(async (limit) => (await pool.query(sweepSql, [retentionDays, limit])).rowCount ?? 0);
}
