import type { JsonValue } from '@capability-router/kernel';
import type { PayloadLookupRequest, PayloadLookupResponse } from '@capability-router/contracts';
import type pg from 'pg';

/** Ids in one look-up. */
export const MAX_LOOKUP_IDS = 500;
/** Rows that one statement of the retention sweep deletes, so that no transaction lasts. */
const SWEEP_BATCH_ROWS = 5_000;

const lookupSql = `
SELECT usage_event_id, request_payload, response_summary FROM execution_payloads
 WHERE account_id = $1 AND usage_event_id = ANY ($2::uuid[])`;

const sweepSql = `
DELETE FROM execution_payloads WHERE usage_event_id IN (
  SELECT usage_event_id FROM execution_payloads
   WHERE created_at < now() - $1::double precision * interval '1 day' LIMIT ${SWEEP_BATCH_ROWS})`;

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
export async function sweepPayloads(pool: pg.Pool, retentionDays: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(sweepSql, [retentionDays]);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < SWEEP_BATCH_ROWS) return deleted;
  }
}
