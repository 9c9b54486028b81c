import type pg from 'pg';
import { anomalyConditions } from '../usage-audit/anomaly-conditions.sql.js';
import { anomalies } from '../usage-audit/domain/anomalies.js';

/** Audit rows of one transaction. */
export const SCAN_ROWS = 2_000;
/** Open exceptions that one transaction looks at again. */
export const RECHECK_ROWS = 500;

const conditionOf = (anomaly: keyof typeof anomalyConditions, timeParameter: string): string =>
  `(${anomalyConditions[anomaly].replaceAll('?', timeParameter)})`;

/** The columns that the conditions of all anomalies read; the rest of a row is large. */
const readColumns = `record_seq, recorded, account_id, source_ref_id, requested_micro, effective_micro, charge_outcome,
         ledger_entry_id, effective_at, event_type, outcome, billing_rule`;

const scanSql = `
WITH u AS MATERIALIZED (
  SELECT ${readColumns} FROM usage_events
   WHERE record_seq + 0 > $1 AND record_seq + 0 <= $2 ORDER BY record_seq + 0 LIMIT ${SCAN_ROWS}
), raised AS (
  INSERT INTO settlement_exceptions (execution_id, account_id, kind, requested_micro, raised_at)
  SELECT u.source_ref_id, u.account_id, a.kind, COALESCE(u.requested_micro, 0), $3::timestamptz
    FROM u CROSS JOIN LATERAL (VALUES ${anomalies.map((name) => `('${name}', ${conditionOf(name, '$4::timestamptz')})`).join(', ')}) AS a (kind, holds)
   WHERE u.recorded AND a.holds AND u.source_ref_id ~ '^(exec|srch|imp)_[0-9a-f]{32}$'
   ORDER BY u.source_ref_id, a.kind
  ON CONFLICT (execution_id, kind) DO NOTHING RETURNING 1
)
SELECT (SELECT max(record_seq) FROM u)::text AS last, (SELECT count(*)::int FROM u) AS rows,
       (SELECT count(*)::int FROM raised) AS raised`;

/**
 * The result of one scan: the last record that it looked at, as a decimal string, how many, and how many exceptions it
 * raised.
 */
export interface ScannedRows {
  readonly last: string | null;
  readonly rows: number;
  readonly raised: number;
}

/**
 * Raises what the anomalies find among the next records behind `after`. `now`: when they are raised; `before`: until when
 * a charge had to be settled that lacks its entry. Both ISO 8601.
 */
export async function scanRows(
  tx: pg.PoolClient,
  range: { readonly after: string; readonly upTo: string; readonly now: string; readonly before: string },
): Promise<ScannedRows> {
  const { rows } = await tx.query<ScannedRows & Record<string, unknown>>(scanSql, [
    range.after,
    range.upTo,
    range.now,
    range.before,
  ]);
  return rows[0] ?? { last: null, rows: 0, raised: 0 };
}

/** The last record of the audit, as a decimal string. */
export async function lastRecord(tx: pg.PoolClient): Promise<string | null | undefined> {
  const { rows } = await tx.query<{ last: string | null }>(
    'SELECT max(record_seq + 0)::text AS last FROM usage_events',
  );
  return rows[0]?.last;
}

/**
 * Open exceptions of anomalies, and whether each has ended: a refund gave all of the charge back, or the entry has come.
 * A review waits for the settlement to be in the audit; until then the row cannot say that nothing is charged.
 */
const recheckSql = `
SELECT o.exception_id, o.exception_seq::text AS seq,
       COALESCE(CASE o.kind WHEN 'failed_charged_review'
              THEN u.recorded AND u.settled_micro IS NOT NULL AND u.effective_micro = 0
            ${anomalies
              .filter((name) => name !== 'failed_charged_review')
              .map((name) => `WHEN '${name}' THEN u.recorded AND NOT ${conditionOf(name, "'infinity'::timestamptz")}`)
              .join('\n            ')} END, false) AS ended
  FROM open_exceptions o JOIN settlement_exceptions x USING (exception_id)
  LEFT JOIN usage_events u ON u.id = right(x.execution_id, 32)::uuid AND u.account_id = x.account_id
 WHERE o.kind = ANY($2) AND o.exception_seq > $1 ORDER BY o.exception_seq LIMIT ${RECHECK_ROWS}`;

export interface RecheckedRow {
  readonly exception_id: string;
  readonly seq: string;
  readonly ended: boolean;
}

/** The next open exceptions behind `after`. */
export async function recheckOpen(tx: pg.PoolClient, after: string): Promise<RecheckedRow[]> {
  return (await tx.query<RecheckedRow>(recheckSql, [after, anomalies])).rows;
}
