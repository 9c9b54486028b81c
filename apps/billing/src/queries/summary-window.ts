import { invalidQuery, parseDateWindow, type DateWindow } from './date-window.js';

export const buckets = ['hour', 'day', 'week'] as const;
export type Bucket = (typeof buckets)[number];

/** The hours that a summary covers where no date is sent. */
const DEFAULT_SUMMARY_HOURS = 24;
const HOUR_MS = 3_600_000;
/** A longer range is shown by day. */
const MAX_HOURLY_RANGE_MS = 72 * HOUR_MS;
/** Items of `max_charge_items` and `max_amount_items` where `limit` is not sent. */
export const DEFAULT_SAMPLES = 10;
/** Buckets of one summary at most; only those in which something happened count. */
export const MAX_BUCKETS = 10_000;

export interface SummaryWindow {
  readonly window: DateWindow;
  readonly bucket: Bucket;
}

/** The range and the buckets of a summary: the dates that were sent, or the last 24 hours. Weeks begin on Mondays. */
export function summaryWindow(
  query: { readonly start_date?: string; readonly end_date?: string; readonly bucket?: string },
  nowMs: number,
): SummaryWindow {
  const dated = query.start_date !== undefined || query.end_date !== undefined;
  const window = dated
    ? parseDateWindow(query.start_date, query.end_date)
    : { from: new Date(nowMs - DEFAULT_SUMMARY_HOURS * HOUR_MS), before: new Date(nowMs + 1) };
  return { window, bucket: buckets.find((name) => name === query.bucket) ?? bucketOf(window, nowMs) };
}

/** An open start has no end to its range. */
function bucketOf({ from, before }: DateWindow, nowMs: number): Bucket {
  if (from === undefined) return 'day';
  // `before` is a millisecond after an end that is a time, and the range goes from the one time to the other.
  const endMs = before === undefined ? nowMs : before.getTime() - 1;
  const rangeMs = endMs - from.getTime();
  return rangeMs > MAX_HOURLY_RANGE_MS ? 'day' : 'hour';
}

/** As a summary says its range: both ends inclusive; null where it is open. */
export function summaryDates({ window, bucket }: SummaryWindow): Record<string, unknown> {
  return {
    start_date: window.from?.toISOString() ?? null,
    end_date: window.before === undefined ? null : new Date(window.before.getTime() - 1).toISOString(),
    bucket,
  };
}

export function tooManyBuckets(bucket: Bucket): Error {
  const coarser = bucket === 'hour' ? 'day or week' : 'week';
  return invalidQuery(
    `The summary would have more than ${MAX_BUCKETS} buckets of one ${bucket}. Use ${coarser}, or a shorter range.`,
  );
}
