import { ledgerEntryTypes, type LedgerEntryType } from '@capability-router/contracts';
import type pg from 'pg';
import { grantCategories } from '../grants/domain/grant-categories.js';
import { chargeTypes } from '../ledger/domain/entry-types.js';
import type { DateWindow } from '../queries/date-window.js';
import { unlessTooMuch } from '../queries/too-much-to-read.js';

/** The sums of one entry type on both sides. Amounts are signed micro-credits. */
export interface EntityComparison {
  readonly entityType: LedgerEntryType;
  /** By the records of the services that own the facts, and of the lots. */
  readonly recordCount: bigint;
  readonly recordAmount: bigint;
  readonly ledgerCount: bigint;
  readonly ledgerAmount: bigint;
  /** Recorded, and not in the ledger. */
  readonly missing: bigint;
  /** In the ledger, and not recorded, or twice. */
  readonly extra: bigint;
  /** In both, with different amounts. */
  readonly different: bigint;
}

const chargeByPrefix = chargeTypes.map(({ idPrefix, entryType }) => `WHEN '${idPrefix}' THEN '${entryType}'`).join(' ');
/** The type as which a lot is compared whose entry is missing. */
const grantByCategory = Object.entries(grantCategories)
  .map(([category, { entryType }]) => `WHEN '${category}' THEN '${entryType}'`)
  .join(' ');
// Charges that no type claims are compared all the same, so that they cannot be overlooked.
const UNKNOWN_CHARGE: LedgerEntryType = 'consume_model_call';
const UNKNOWN_GRANT: LedgerEntryType = 'grant_welcome_bonus';

/**
 * Charges are compared by what they were settled for: what was consumed from the topics (`usage_facts`) says which ended,
 * `settlements` for how much. Grants are compared with their lots, everything else with what it took from lots or
 * gave back. A settled charge whose fact has not been recorded yet is found by its entry: the audit may lag.
 * $2 and $3 bound the effective time; an entry is recorded after it took effect, but for what clocks may differ by, which is $4.
 */
const compareSql = `
WITH entries AS MATERIALIZED (
  SELECT entry_id, entry_type, amount_micro, source_ref_id FROM ledger_entries
   WHERE account_id = $1 AND effective_at >= $2 AND effective_at < $3 AND created_at >= $2::timestamptz - $4::interval
), ended AS (
  SELECT source_ref_id AS id FROM entries WHERE entry_type = ANY($5)
  UNION
  SELECT CASE type WHEN 'ExecutionCompleted' THEN data->>'executionId' WHEN 'ToolsSearched' THEN data->>'searchId'
              ELSE data->>'importRef' END
    FROM usage_facts
   WHERE account_id = $1 AND effective_at >= $2 AND effective_at < $3
     AND (type IN ('ExecutionCompleted', 'ModelCallImported') OR type = 'ToolsSearched' AND data ? 'bill')
), records AS (
  SELECT s.source_ref_id AS ref, -s.settled_micro AS amount,
         CASE split_part(s.source_ref_id, '_', 1) ${chargeByPrefix} ELSE '${UNKNOWN_CHARGE}' END AS entry_type
    FROM ended JOIN settlements s ON s.source_ref_id = ended.id
   WHERE s.account_id = $1 AND s.settled_micro > 0
  UNION ALL
  SELECT l.ledger_entry_id, l.granted_micro, COALESCE(e.entry_type,
         CASE l.category ${grantByCategory} ELSE '${UNKNOWN_GRANT}' END)
    FROM credit_lots l LEFT JOIN entries e ON e.entry_id = l.ledger_entry_id
   WHERE l.account_id = $1 AND l.granted_at >= $2 AND l.granted_at < $3
  UNION ALL
  SELECT e.entry_id, moved.amount, e.entry_type
    FROM entries e
    JOIN LATERAL (
      SELECT sum(amount) AS amount FROM (
        SELECT -b.amount_micro AS amount FROM lot_burns b WHERE b.ledger_entry_id = e.entry_id
        UNION ALL
        SELECT r.amount_micro FROM lot_restores r WHERE r.ledger_entry_id = e.entry_id) AS each
    ) AS moved ON moved.amount IS NOT NULL
   WHERE e.entry_type <> ALL($5)
), ledger AS (
  SELECT CASE WHEN entry_type = ANY($5) THEN source_ref_id ELSE entry_id END AS ref, entry_type,
         count(*) AS entries, sum(amount_micro) AS amount
    FROM entries GROUP BY 1, 2
), recorded AS (
  SELECT ref, entry_type, sum(amount) AS amount FROM records GROUP BY 1, 2
)
SELECT entry_type, count(recorded.amount) AS record_count, COALESCE(sum(recorded.amount), 0) AS record_amount,
       COALESCE(sum(ledger.entries), 0) AS ledger_count, COALESCE(sum(ledger.amount), 0) AS ledger_amount,
       count(*) FILTER (WHERE ledger.entries IS NULL) AS missing,
       COALESCE(sum(ledger.entries - (recorded.amount IS NOT NULL)::int), 0) AS extra,
       count(*) FILTER (WHERE recorded.amount <> ledger.amount) AS different
  FROM recorded FULL JOIN ledger USING (ref, entry_type) GROUP BY entry_type`;

/**
 * A margin above what the clocks of two services may differ by, and an importer's be ahead of ours (`MAX_AHEAD_MS`).
 */
const CLOCK_TOLERANCE = '10 minutes';
const BEGINNING = new Date(0);

interface ComparisonRow {
  readonly entry_type: LedgerEntryType;
  readonly record_count: string;
  readonly record_amount: string;
  readonly ledger_count: string;
  readonly ledger_amount: string;
  readonly missing: string;
  readonly extra: string;
  readonly different: string;
}

/** The account's ledger against what the other records of billing say, by entry type; every type is there. */
export async function compareLedger(
  pool: pg.Pool,
  accountId: string,
  { from = BEGINNING, before }: DateWindow & { readonly before: Date },
): Promise<EntityComparison[]> {
  const values = [accountId, from, before, CLOCK_TOLERANCE, chargeTypes.map(({ entryType }) => entryType)];
  const { rows } = await unlessTooMuch(pool.query<ComparisonRow>(compareSql, values));
  const byType = new Map(rows.map((row) => [row.entry_type, row]));
  return ledgerEntryTypes.map((entityType) => {
    const row = byType.get(entityType);
    return {
      entityType,
      recordCount: BigInt(row?.record_count ?? 0),
      recordAmount: BigInt(row?.record_amount ?? 0),
      ledgerCount: BigInt(row?.ledger_count ?? 0),
      ledgerAmount: BigInt(row?.ledger_amount ?? 0),
      missing: BigInt(row?.missing ?? 0),
      extra: BigInt(row?.extra ?? 0),
      different: BigInt(row?.different ?? 0),
    };
  });
}

export const isReady = ({ missing, extra, different }: EntityComparison): boolean =>
  missing === 0n && extra === 0n && different === 0n;
