import type { DateWindow } from '../queries/date-window.js';
import type { WhereClause } from '../queries/where.sql.js';

/** A margin above the time by which what a clock said of two entries may contradict their order. */
const CLOCK_TOLERANCE = `interval '20 minutes'`;

/** The entry of the account that was recorded last before a time, or first after it; null where none was. */
const neighbour = (comparison: '<' | '>', time: string, order: 'ASC' | 'DESC'): string =>
  `(SELECT s.entry_seq FROM ledger_entries s WHERE s.account_id = $1 AND s.created_at ${comparison} ${time}
     ORDER BY s.created_at ${order} LIMIT 1)`;

/**
 * Bounds the sequence of what was recorded within a range of time, so that entries in the order of their sequence are
 * walked only there, and not to the end of every month that has none of them. Wider than the range; for conditions beside
 * those on the time itself. `sequence` is the column; parameter $1 must be the account.
 */
export function recordedBetween(clause: WhereClause, sequence: string, { from, before }: DateWindow): WhereClause {
  return clause
    .and(`${sequence} > COALESCE(${neighbour('<', `?::timestamptz - ${CLOCK_TOLERANCE}`, 'DESC')}, 0)`, from)
    .and(
      `${sequence} < COALESCE(${neighbour('>', `?::timestamptz + ${CLOCK_TOLERANCE}`, 'ASC')}, 9223372036854775807)`,
      before,
    );
}
