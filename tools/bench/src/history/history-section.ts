import { judged, megabytes, ms, table, whole } from '../report/markdown.js';
import type { HistoryResult, Read, SizeResult } from './measure-history.js';

/** The bars of the design and of its issue. */
const MAX_PAGE_P95_MS = 15;
const MAX_GROWTH = 1.5;
const MIN_EXPORTED_PER_SECOND = 50_000;
const MIN_REBUILT_PER_SECOND = 20_000;
const MAX_TRANSACTION_MS = 2_000;

const isPage = ({ what }: Read): boolean => what.includes('by cursor');
const percent = (share: number): string => (share === 0 ? '' : `${(share * 100).toFixed(0)} %`);

/** The time of the same read at the small size. */
function baselineOf(read: Read, small: SizeResult): Read {
  const found = small.reads.find(({ what }) => what === read.what);
  if (found === undefined) throw new Error(`${read.what} was not measured at the small size`);
  return found;
}

export function historySection({ small, large, rebuild }: HistoryResult): string {
  const pages = large.reads.filter(isPage);
  const slowest = Math.max(...pages.map(({ p95Ms }) => p95Ms));
  const growth = Math.max(...pages.map((page) => page.p50Ms / baselineOf(page, small).p50Ms));
  const exported = (size: SizeResult): number => Math.min(...size.exports.map(({ rows, seconds }) => rows / seconds));
  return [
    `${whole(large.rows)} usage events and as many ledger entries of paid calls, spread over the 90 days before, in partitions by month; the database of billing takes ${megabytes(large.bytes)} MB. Beside it the same at ${whole(small.rows)} rows, on a server of its own. Reads go over HTTP to one process of billing, one at a time, a hundred of each kind, first ones included; p95 of the answer's last byte.`,
    table(
      ['Read', 'Rows of the account', 'p50 ms', 'p95 ms', `p50 ms at ${whole(small.rows)}`, 'Ratio', 'Refused (5xx)'],
      large.reads.map((read) => {
        const base = baselineOf(read, small);
        const ratio = (read.p50Ms / base.p50Ms).toFixed(2);
        return [
          read.what,
          whole(read.accountRows),
          ms(read.p50Ms),
          ms(read.p95Ms),
          ms(base.p50Ms),
          ratio,
          percent(read.refused),
        ];
      }),
    ),
    table(
      ['', `at ${whole(large.rows)} rows`, `at ${whole(small.rows)} rows`, 'Ratio'],
      [
        ...large.exports.map((one, index) => {
          const base = small.exports[index];
          const baseRate = base === undefined ? Number.NaN : base.rows / base.seconds;
          const rate = one.rows / one.seconds;
          return [
            `export of the ${one.what}, rows/s (${whole(one.rows)} rows)`,
            whole(rate),
            whole(baseRate),
            (rate / baseRate).toFixed(2),
          ];
        }),
        ...large.exports.map((one, index) => {
          const basePeak = small.exports[index]?.peakBytes ?? 0;
          const what = `memory of billing at its highest, export of the ${one.what}, MB`;
          // A short export can be over before the first look at the memory.
          if (basePeak === 0) return [what, megabytes(one.peakBytes), 'not seen', ''];
          return [what, megabytes(one.peakBytes), megabytes(basePeak), (one.peakBytes / basePeak).toFixed(2)];
        }),
        [
          'settlement alone, executions/s',
          whole(large.settlement),
          whole(small.settlement),
          (large.settlement / small.settlement).toFixed(2),
        ],
        [
          'usage audit alone, executions/s',
          whole(large.audit),
          whole(small.audit),
          (large.audit / small.audit).toFixed(2),
        ],
      ],
    ),
    `A rebuild of the usage audit from ${whole(rebuild.events)} facts, switch included: ${whole(rebuild.perSecond)} facts/s (from ${whole(rebuild.smallEvents)}: ${whole(rebuild.smallPerSecond)}/s); longest transaction that was seen ${whole(rebuild.longestTransactionMs)} ms. Before and after, the rows were the same by a hash over their text.`,
    `Bars: ${[
      judged(
        `pages by cursor at most ${MAX_PAGE_P95_MS} ms at p95 (slowest ${ms(slowest)})`,
        slowest <= MAX_PAGE_P95_MS,
      ),
      judged(
        `and at most ${MAX_GROWTH} times what they cost at ${whole(small.rows)} rows (at most ${growth.toFixed(2)})`,
        growth <= MAX_GROWTH,
      ),
      judged(
        `exports at least ${whole(MIN_EXPORTED_PER_SECOND)} rows/s (slowest ${whole(exported(large))})`,
        exported(large) >= MIN_EXPORTED_PER_SECOND,
      ),
      judged(`rebuild at least ${whole(MIN_REBUILT_PER_SECOND)} facts/s`, rebuild.perSecond >= MIN_REBUILT_PER_SECOND),
      judged(
        `no transaction of it over ${MAX_TRANSACTION_MS / 1_000} s`,
        rebuild.longestTransactionMs <= MAX_TRANSACTION_MS,
      ),
    ].join('; ')}.`,
  ].join('\n\n');
}
