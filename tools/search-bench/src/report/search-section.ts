import { judged, megabytes, ms, table, whole } from '@capability-router/tools-bench';
import type { PoolQuality } from '../quality/score-pools.js';
import { pairsTable, ratioOf, type PairRow } from './pairs-table.js';
import type { Speed } from '../speed/measure-speed.js';

/** The bars of the design. */
const MIN_AIMED_NDCG = 0.6;
const MIN_AIMED_RECALL = 0.75;
const MIN_LARGE_NDCG = 0.5;
/** nDCG@10 and Recall@10 of Chinese needs divided by those of English ones. */
const MIN_CHINESE_RATIO = 0.95;
const MAX_P50_MS = 2;
const MAX_P99_MS = 6;
const MAX_BUILD_MS = 3_000;
const MAX_VISIBLE_MS = 1_000;
const MAX_BYTES = 150 * 1_048_576;

export interface Pool {
  readonly name: string;
  /** The content of the pool, for a reader. */
  readonly what: string;
  readonly tools: number;
  readonly quality: PoolQuality;
}

export interface SearchFigures {
  readonly queries: number;
  readonly pools: readonly Pool[];
  /** None where the data has no Chinese. */
  readonly pairs: readonly PairRow[];
  readonly speed: Speed;
}

const figure = (value: number): string => value.toFixed(3);

/** The macro figures of each pool. */
export function poolsTable(pools: readonly Pool[]): string {
  return table(
    ['Pool', 'Tools', 'nDCG@10', 'Recall@5', 'Recall@10', 'MRR'],
    pools.map(({ what, tools, quality: { macro } }) => [
      what,
      whole(tools),
      figure(macro.ndcg10),
      figure(macro.recall5),
      figure(macro.recall10),
      figure(macro.mrr),
    ]),
  );
}

export function searchSection({ queries, pools, pairs, speed }: SearchFigures): string {
  const macroOf = (name: string) => pools.find((pool) => pool.name === name)?.quality.macro;
  const reaches = (name: string, ndcg10: number, recall10: number): boolean =>
    (macroOf(name)?.ndcg10 ?? 0) >= ndcg10 && (macroOf(name)?.recall10 ?? 0) >= recall10;
  const aimed = `macro nDCG@10 at least ${MIN_AIMED_NDCG} and Recall@10 ${MIN_AIMED_RECALL}`;
  const sources = Object.keys(pools[0]?.quality.sources ?? {});
  return [
    `Measured by \`npm run bench:search -- --eval-data\` over ${whole(queries)} labelled queries (data that is not part of the repository; see [search.md](search.md) for how the ranking works and what each part of it gains). The macro average weighs every source the same. Relevance is labelled within a source only, so larger pools hold good tools that count as wrong: figures of a pool are lower bounds. The part of all sources holds every tool that serves a query, and of the others as many as make 5,000.`,
    poolsTable(pools),
    'nDCG@10 by source:',
    table(
      ['Source', ...pools.map(({ what }) => what)],
      sources.map((source) => [
        source,
        ...pools.map(({ quality }) => figure(quality.sources[source]?.ndcg10 ?? Number.NaN)),
      ]),
    ),
    ...(pairs.length === 0
      ? []
      : [
          'Chinese against English needs for the same tools. The Chinese side is a phrase of a few characters for what the tool does. The English side is either the name of the tool in words, which the index holds as it is and which therefore flatters English, or the mean of the labelled English queries for just that tool, which are long dialogues; the data has no translations.',
          pairsTable(pairs),
        ]),
    `The engine alone, ${whole(speed.tools)} tools, one thread, searches one after the other for 10 results:`,
    table(
      [
        'Search p50 ms',
        'Search p99 ms',
        'slowest ms',
        'Cold build ms',
        'Memory MB',
        'added tool first after ms (median, most)',
      ],
      [
        [
          ms(speed.p50Ms),
          ms(speed.p99Ms),
          ms(speed.mostMs),
          whole(speed.buildMs),
          megabytes(speed.bytes),
          `${ms(speed.visibleMs.median)}, ${ms(speed.visibleMs.most)}`,
        ],
      ],
    ),
    `Bars: ${[
      judged(`${aimed} among the own source's tools`, reaches('own', MIN_AIMED_NDCG, MIN_AIMED_RECALL)),
      judged(`the same in the part of all sources`, reaches('aimed', MIN_AIMED_NDCG, MIN_AIMED_RECALL)),
      judged(
        `at ${whole(speed.tools)} tools macro nDCG@10 at least ${MIN_LARGE_NDCG}`,
        reaches('large', MIN_LARGE_NDCG, 0),
      ),
      ...pairs.map(({ pool, english, quality }) =>
        judged(
          `Chinese at least ${MIN_CHINESE_RATIO} of English (${english}, ${pool})`,
          ratioOf(quality, 'ndcg10') >= MIN_CHINESE_RATIO && ratioOf(quality, 'recall10') >= MIN_CHINESE_RATIO,
        ),
      ),
      judged(`search p50 at most ${MAX_P50_MS} ms`, speed.p50Ms <= MAX_P50_MS),
      judged(`p99 at most ${MAX_P99_MS} ms`, speed.p99Ms <= MAX_P99_MS),
      judged(`cold build at most ${whole(MAX_BUILD_MS)} ms`, speed.buildMs <= MAX_BUILD_MS),
      judged(`at most ${megabytes(MAX_BYTES)} MB`, speed.bytes <= MAX_BYTES),
      judged(`an added tool found within ${whole(MAX_VISIBLE_MS)} ms`, speed.visibleMs.most <= MAX_VISIBLE_MS),
    ].join('; ')}.`,
  ].join('\n\n');
}
