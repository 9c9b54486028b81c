import { toIso, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { runCheck } from '../background-checks/run-check.js';
import { anomalies, anomalyConditions, LEDGER_LINK_GRACE_MS } from '../usage-audit/anomalies.js';
import { closeExceptions } from './exceptions.sql.js';

/** Audit rows of one transaction. */
const SCAN_ROWS = 2_000;
/** Open exceptions that one transaction looks at again. */
const RECHECK_ROWS = 500;
/** Transactions of one round; what is left is for the next. */
const MAX_BATCHES = 50;

export const ANOMALY_CHECK = 'anomalies';
/** Who closed what has put itself right. */
export const RECONCILER = 'reconciler';

/** Numbers of records are decimal strings. */
export interface AnomalyState {
  /** Every row up to here was looked at once, at least as long after it was recorded as a charge may lack its entry. */
  readonly scanned: string;
  /** The last row that was there at `ceilingAt`. */
  readonly ceiling: string;
  readonly ceilingAt: string;
  /** The last open exception that was looked at again; 0: from the beginning. */
  readonly rechecked: string;
}

const initial: AnomalyState = { scanned: '0', ceiling: '0', ceilingAt: toIso(0), rechecked: '0' };

const conditionOf = (anomaly: keyof typeof anomalyConditions, timeParameter: string): string =>
  `(${anomalyConditions[anomaly].replaceAll('?', timeParameter)})`;

/** What the conditions of all anomalies read; the rest of a row is large. */
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

export interface AnomalyReport {
  readonly scanned: number;
  readonly raised: number;
  readonly cleared: number;
}

/**
 * One round of the reconciler: looks at every row of the audit once, a minute after it was there, raises what the
 * anomalies of `usage-audit/anomalies.ts` find, and clears what has ended. Rows that were committed out of the order
 * of their numbers are not passed by, because the end of a walk is set a minute before it is walked to. What makes a
 * row an anomaly later, a revised outcome, is raised by who settles it.
 */
export async function findAnomalies(pool: pg.Pool, clock: Clock): Promise<AnomalyReport> {
  const report = { scanned: 0, raised: 0, cleared: 0 };
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const nowMs = clock.nowMs();
    const scans: Scan[] = [];
    const ran = await runCheck(pool, { name: ANOMALY_CHECK, initial, nowMs }, async (tx, state) => {
      const scan = await scanOn(tx, state, nowMs);
      const recheck = batch === 0 ? await recheckOn(tx, state.rechecked, nowMs) : undefined;
      scans.push(scan);
      report.scanned += scan.rows;
      report.raised += scan.raised;
      report.cleared += recheck?.cleared ?? 0;
      return { ...state, ...scan.state, rechecked: recheck?.rechecked ?? state.rechecked };
    });
    if (ran === undefined || scans[0]?.more !== true) break;
  }
  return report;
}

interface Scan {
  readonly state: Omit<AnomalyState, 'rechecked'>;
  readonly rows: number;
  readonly raised: number;
  readonly more: boolean;
}

async function scanOn(tx: pg.PoolClient, state: AnomalyState, nowMs: number): Promise<Scan> {
  const { scanned, ceiling, ceilingAt } = state;
  const due = Date.parse(ceilingAt) <= nowMs - LEDGER_LINK_GRACE_MS;
  if (due && BigInt(scanned) < BigInt(ceiling)) {
    const before = toIso(nowMs - LEDGER_LINK_GRACE_MS);
    const { rows } = await tx.query<{ last: string | null; rows: number; raised: number }>(scanSql, [
      scanned,
      ceiling,
      toIso(nowMs),
      before,
    ]);
    const found = rows[0] ?? { last: null, rows: 0, raised: 0 };
    const more = found.rows === SCAN_ROWS;
    const reached = more ? (found.last ?? ceiling) : ceiling;
    return { state: { scanned: reached, ceiling, ceilingAt }, rows: found.rows, raised: found.raised, more };
  }
  if (!due && BigInt(scanned) < BigInt(ceiling)) return { state, rows: 0, raised: 0, more: false };
  const { rows } = await tx.query<{ last: string | null }>(
    'SELECT max(record_seq + 0)::text AS last FROM usage_events',
  );
  const next = rows[0]?.last ?? ceiling;
  return { state: { scanned, ceiling: next, ceilingAt: toIso(nowMs) }, rows: 0, raised: 0, more: false };
}

async function recheckOn(
  tx: pg.PoolClient,
  after: string,
  nowMs: number,
): Promise<{ readonly rechecked: string; readonly cleared: number }> {
  const { rows } = await tx.query<{ exception_id: string; seq: string; ended: boolean }>(recheckSql, [
    after,
    anomalies,
  ]);
  const ended = rows.filter((row) => row.ended).map((row) => row.exception_id);
  const cleared =
    ended.length === 0
      ? 0
      : await closeExceptions(tx, ended, {
          action: 'cleared',
          amountMicro: null,
          reference: undefined,
          actedBy: RECONCILER,
          idempotencyKey: undefined,
          actedAt: toIso(nowMs),
        });
  return { rechecked: rows.length < RECHECK_ROWS ? '0' : (rows.at(-1)?.seq ?? '0'), cleared };
}
