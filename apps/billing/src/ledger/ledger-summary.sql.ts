import type pg from 'pg';
import { sumOfCredits } from '../queries/sum-of-credits.js';
import { MAX_BUCKETS, summaryDates, tooManyBuckets, type SummaryWindow } from '../queries/summary-window.js';
import { unlessTooMuch } from '../queries/too-much-to-read.js';
import { ledgerEntryView } from './ledger-entry-view.js';
import type { LedgerFilter } from './ledger-filter.js';
import { bookedEntryFromRow, type BookedEntryRow } from './ledger-row.js';
import { ledgerWhere } from './ledger-where.sql.js';
import { lotsOfEntrySql } from './lots-of-entry.sql.js';

interface SummaryRow {
  /** Null in the row of the whole range. */
  readonly bucket_start: Date | null;
  readonly entries: string;
  readonly consumes: string;
  readonly consumed: string | null;
  readonly granted: string | null;
  readonly net: string | null;
}

/** Sums up what the filter matches within the range of the summary, as a whole and by bucket. */
export async function summariseLedger(
  pool: pg.Pool,
  accountId: string,
  filter: LedgerFilter,
  range: SummaryWindow & { readonly samples: number },
): Promise<Record<string, unknown>> {
  const { sql, values } = ledgerWhere(accountId, { ...filter, window: range.window });
  const reads = Promise.all([
    pool.query<SummaryRow>(
      `SELECT date_trunc('${range.bucket}', e.created_at, 'UTC') AS bucket_start, count(*) AS entries,
              count(*) FILTER (WHERE e.amount_micro < 0) AS consumes,
              -sum(e.amount_micro) FILTER (WHERE e.amount_micro < 0) AS consumed,
              sum(e.amount_micro) FILTER (WHERE e.amount_micro > 0) AS granted, sum(e.amount_micro) AS net
         FROM ledger_entries e WHERE ${sql}
        GROUP BY GROUPING SETS ((), (1)) ORDER BY 1 NULLS FIRST LIMIT ${MAX_BUCKETS + 2}`,
      values,
    ),
    pool.query<BookedEntryRow>(
      `SELECT e.*, ${lotsOfEntrySql} AS lots FROM (
         SELECT e.* FROM ledger_entries e WHERE ${sql}
          ORDER BY abs(e.amount_micro) DESC, e.entry_seq DESC LIMIT ${range.samples}) AS e
        ORDER BY abs(e.amount_micro) DESC, e.entry_seq DESC`,
      values,
    ),
  ]);
  const [summed, largest] = await unlessTooMuch(reads);
  const [whole, ...buckets] = summed.rows;
  if (whole === undefined) throw new Error('a sum has a row');
  if (buckets.length > MAX_BUCKETS) throw tooManyBuckets(range.bucket);
  return {
    ...summaryDates(range),
    total_entries: Number(whole.entries),
    ...movementsOf(whole),
    max_amount_items: largest.rows.map((row) => ledgerEntryView(bookedEntryFromRow(row))),
    buckets: buckets.map((row) => ({
      bucket_start: row.bucket_start?.toISOString() ?? null,
      entry_count: Number(row.entries),
      ...movementsOf(row),
    })),
  };
}

function movementsOf(row: SummaryRow): Record<string, number> {
  const consumes = Number(row.consumes);
  return {
    consume_count: consumes,
    grant_count: Number(row.entries) - consumes,
    consumed_credits: sumOfCredits(row.consumed),
    granted_credits: sumOfCredits(row.granted),
    net_amount_credits: sumOfCredits(row.net),
  };
}
