import { chargeOutcomes, type ChargeOutcome } from '@capability-router/contracts';
import type pg from 'pg';
import { sumOfCredits } from '../queries/sum-of-credits.js';
import { MAX_BUCKETS, summaryDates, tooManyBuckets, type SummaryWindow } from '../queries/summary-window.js';
import { unlessTooMuch } from '../queries/too-much-to-read.js';
import type { UsageEventRow } from './usage-event-view.js';
import type { UsageFilter } from './usage-filter.js';
import { usageItemView } from './usage-item-view.js';
import { usageWhere } from './usage-where.sql.js';

type OutcomeCounts = Readonly<Record<`${ChargeOutcome}_count`, string>>;

interface SummaryRow extends OutcomeCounts {
  /** Null in the row of the whole range. */
  readonly bucket_start: Date | null;
  readonly total_count: string;
  readonly success_count: string;
  readonly pre_settlement: string | null;
  readonly settled: string | null;
}

const outcomeCounts = chargeOutcomes
  .map((outcome) => `count(*) FILTER (WHERE u.charge_outcome = '${outcome}') AS ${outcome}_count`)
  .join(', ');

/** Sums up what the filter matches within the range of the summary, as a whole and by bucket. */
export async function summariseUsage(
  pool: pg.Pool,
  accountId: string,
  filter: UsageFilter,
  range: SummaryWindow & { readonly samples: number },
): Promise<Record<string, unknown>> {
  const { sql, values } = usageWhere(accountId, { ...filter, window: range.window });
  const reads = Promise.all([
    pool.query<SummaryRow>(
      `SELECT date_trunc('${range.bucket}', u.effective_at, 'UTC') AS bucket_start, count(*) AS total_count,
              count(*) FILTER (WHERE u.success) AS success_count, ${outcomeCounts},
              sum(u.requested_micro) AS pre_settlement, sum(u.settled_micro) AS settled
         FROM usage_events u WHERE ${sql}
        GROUP BY GROUPING SETS ((), (1)) ORDER BY 1 NULLS FIRST LIMIT ${MAX_BUCKETS + 2}`,
      values,
    ),
    pool.query<UsageEventRow>(
      `SELECT u.*, k.name AS api_key_name, k.masked_value AS api_key_masked_value
         FROM usage_events u LEFT JOIN api_key_labels k ON k.api_key_id = u.api_key_id
        WHERE ${sql} AND u.effective_micro > 0
        ORDER BY u.effective_micro DESC, u.effective_at DESC, u.id DESC LIMIT ${range.samples}`,
      values,
    ),
  ]);
  const [summed, largest] = await unlessTooMuch(reads);
  const [whole, ...buckets] = summed.rows;
  if (whole === undefined) throw new Error('a sum has a row');
  if (buckets.length > MAX_BUCKETS) throw tooManyBuckets(range.bucket);
  return {
    ...summaryDates(range),
    ...countsOf(whole),
    charge_outcome_counts: Object.fromEntries(
      chargeOutcomes.map((outcome) => [outcome, Number(whole[`${outcome}_count`])]),
    ),
    ...amountsOf(whole),
    max_charge_items: largest.rows.map(usageItemView),
    buckets: buckets.map((row) => ({
      bucket_start: row.bucket_start?.toISOString() ?? null,
      ...countsOf(row),
      ...Object.fromEntries(
        chargeOutcomes.map((outcome) => [`${outcome}_count`, Number(row[`${outcome}_count`])] as const),
      ),
      ...amountsOf(row),
    })),
  };
}

function countsOf(row: SummaryRow): Record<string, number> {
  const total = Number(row.total_count);
  const success = Number(row.success_count);
  return { total_count: total, success_count: success, failure_count: total - success };
}

function amountsOf(row: SummaryRow): Record<string, number> {
  return {
    pre_settlement_credits: sumOfCredits(row.pre_settlement),
    settled_credits: sumOfCredits(row.settled),
  };
}
