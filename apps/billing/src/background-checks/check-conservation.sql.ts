import { horizonSql } from '@capability-router/event-store';
import type pg from 'pg';

/** Entries that one transaction adds up. */
export const BATCH_ENTRIES = 20_000;

/** Amounts are decimal strings of micro-credits, sums over all accounts at one moment. */
export interface ConservationSums {
  readonly entries: string;
  readonly balances: string;
  readonly lots: string;
  readonly held: string;
  readonly openHolds: string;
}

/** The last entry that a running sum counts, in commit order, and the sum; all decimal strings. */
export interface RunningSum {
  readonly txOrder: string;
  readonly position: string;
  readonly sum: string;
}

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

/** The next entries: how many they are, their own sum, and the last of them. Undefined where there are none. */
export async function addUp(
  tx: pg.PoolClient,
  { txOrder, position }: Pick<RunningSum, 'txOrder' | 'position'>,
): Promise<(RunningSum & { readonly entries: number }) | undefined> {
  const { rows } = await tx.query<{
    entries: number;
    sum: string;
    tx_order: string | null;
    position: string | null;
  }>(addUpSql, [txOrder, position]);
  const [next] = rows;
  if (next?.tx_order == null || next.position === null) return undefined;
  return { entries: next.entries, sum: next.sum, txOrder: next.tx_order, position: next.position };
}

/** The running sum and what was committed after it, against what stands, in one snapshot. */
const compareSql = `
SELECT ($3::numeric + (SELECT COALESCE(sum(amount_micro), 0) FROM ledger_entries
                        WHERE (tx_order, position) > ($1::bigint, $2::bigint)))::text AS entries,
       (SELECT COALESCE(sum(balance_micro), 0) FROM account_balances)::text AS balances,
       (SELECT COALESCE(sum(held_micro), 0) FROM account_balances)::text AS held,
       (SELECT COALESCE(sum(remaining_micro), 0) FROM credit_lots WHERE NOT depleted)::text AS lots,
       (SELECT COALESCE(sum(amount_micro), 0) FROM holds WHERE state = 'open' AND allowance_day IS NULL)::text
         AS "openHolds"`;

/** All sums of one moment; `entries` goes on from the running sum. */
export async function compareSums(tx: pg.PoolClient, running: RunningSum): Promise<ConservationSums | undefined> {
  const values = [running.txOrder, running.position, running.sum];
  return (await tx.query<ConservationSums & Record<string, string>>(compareSql, values)).rows[0];
}
