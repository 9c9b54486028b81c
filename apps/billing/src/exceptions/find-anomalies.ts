import { toIso, type Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { runCheck } from '../background-checks/run-check.js';
import { LEDGER_LINK_GRACE_MS } from '../usage-audit/domain/anomalies.js';
import { closeExceptions } from './exceptions.sql.js';
import { lastRecord, RECHECK_ROWS, recheckOpen, SCAN_ROWS, scanRows } from './find-anomalies.sql.js';

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

export interface AnomalyReport {
  readonly scanned: number;
  readonly raised: number;
  readonly cleared: number;
}

/**
 * One round of the reconciler: looks at every row of the audit once, a minute after it was there, raises what the
 * anomalies of `usage-audit/anomaly-conditions.sql.ts` find, and clears what has ended. Rows that were committed out of the order
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
    const found = await scanRows(tx, { after: scanned, upTo: ceiling, now: toIso(nowMs), before });
    const more = found.rows === SCAN_ROWS;
    const reached = more ? (found.last ?? ceiling) : ceiling;
    return { state: { scanned: reached, ceiling, ceilingAt }, rows: found.rows, raised: found.raised, more };
  }
  if (!due && BigInt(scanned) < BigInt(ceiling)) return { state, rows: 0, raised: 0, more: false };
  const next = (await lastRecord(tx)) ?? ceiling;
  return { state: { scanned, ceiling: next, ceilingAt: toIso(nowMs) }, rows: 0, raised: 0, more: false };
}

async function recheckOn(
  tx: pg.PoolClient,
  after: string,
  nowMs: number,
): Promise<{ readonly rechecked: string; readonly cleared: number }> {
  const rows = await recheckOpen(tx, after);
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
