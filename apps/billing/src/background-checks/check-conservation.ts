import { horizonSql } from '@capability-router/event-store';
import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import { runCheck } from './run-check.js';

/** Entries that one transaction adds up. */
const BATCH_ENTRIES = 20_000;
/** Transactions of one round; a long history is added up over several rounds before anything is compared. */
const MAX_BATCHES = 25;

export const CONSERVATION_CHECK = 'conservation';

/** Amounts are decimal strings of micro-credits, sums over all accounts at one moment. */
export interface ConservationSums {
  readonly entries: string;
  readonly balances: string;
  readonly lots: string;
  readonly held: string;
  readonly openHolds: string;
}

export interface ConservationState {
  /** The last entry that `sum` counts, in commit order: nothing is ever written before it. */
  readonly txOrder: string;
  readonly position: string;
  readonly sum: string;
  /** Of the last comparison; null before the first. */
  readonly compared: ConservationSums | null;
  readonly comparedAt: string | null;
}

const initial: ConservationState = { txOrder: '0', position: '0', sum: '0', compared: null, comparedAt: null };

const addUpSql = `
WITH next AS (
  SELECT tx_order, position, amount_micro FROM ledger_entries
   WHERE (tx_order, position) > ($1::bigint, $2::bigint) AND tx_order < ${horizonSql}
   ORDER BY tx_order, position LIMIT ${BATCH_ENTRIES}
)
SELECT count(*)::int AS entries, COALESCE(sum(amount_micro), 0)::text AS sum,
       (SELECT tx_order FROM next ORDER BY tx_order DESC, position DESC LIMIT 1)::text AS tx_order,
       (SELECT position FROM next ORDER BY tx_order DESC, position DESC LIMIT 1)::text AS position
  FROM next`;

/** The running sum and what was committed after it, against what stands, in one snapshot. */
const compareSql = `
SELECT ($3::numeric + (SELECT COALESCE(sum(amount_micro), 0) FROM ledger_entries
                        WHERE (tx_order, position) > ($1::bigint, $2::bigint)))::text AS entries,
       (SELECT COALESCE(sum(balance_micro), 0) FROM account_balances)::text AS balances,
       (SELECT COALESCE(sum(held_micro), 0) FROM account_balances)::text AS held,
       (SELECT COALESCE(sum(remaining_micro), 0) FROM credit_lots WHERE NOT depleted)::text AS lots,
       (SELECT COALESCE(sum(amount_micro), 0) FROM holds WHERE state = 'open' AND allowance_day IS NULL)::text
         AS "openHolds"`;

/**
 * Sum of all entries = sum of balances = sum of what lots have left; held = sum of open holds. Entries are added up
 * once, as they come. Undefined: another replica is at it, or the history is not added up yet.
 */
export async function checkConservation(pool: pg.Pool, clock: Clock): Promise<ConservationSums | undefined> {
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    let entries = 0;
    const check = { name: CONSERVATION_CHECK, initial, nowMs: clock.nowMs() };
    const ran = await runCheck(pool, check, async (tx, state) => {
      const { rows } = await tx.query<{
        entries: number;
        sum: string;
        tx_order: string | null;
        position: string | null;
      }>(addUpSql, [state.txOrder, state.position]);
      const [next] = rows;
      if (next?.tx_order == null || next.position === null) return state;
      entries = next.entries;
      const sum = (BigInt(state.sum) + BigInt(next.sum)).toString();
      return { ...state, txOrder: next.tx_order, position: next.position, sum };
    });
    if (ran === undefined) return undefined;
    if (entries < BATCH_ENTRIES) return compare(pool, clock);
  }
  return undefined;
}

async function compare(pool: pg.Pool, clock: Clock): Promise<ConservationSums | undefined> {
  const nowMs = clock.nowMs();
  const check = { name: CONSERVATION_CHECK, initial, nowMs, snapshot: true };
  const ran = await runCheck(pool, check, async (tx, state) => {
    const { rows } = await tx.query<ConservationSums & Record<string, string>>(compareSql, [
      state.txOrder,
      state.position,
      state.sum,
    ]);
    return { ...state, compared: rows[0] ?? null, comparedAt: new Date(nowMs).toISOString() };
  });
  return ran?.compared ?? undefined;
}
