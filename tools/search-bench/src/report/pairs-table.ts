import { table, whole } from '@capability-router/tools-bench';
import type { Quality } from '../quality/metrics.js';
import type { PairQuality } from '../quality/language-pairs.js';

export interface PairRow {
  /** The content of the pool, for a reader. */
  readonly pool: string;
  /** The kind of text on the English side of a pair. */
  readonly english: string;
  readonly quality: PairQuality;
}

type Figure = 'ndcg10' | 'recall10';

/** Chinese divided by English; not a number where English finds nothing. */
export function ratioOf({ chinese, english }: PairQuality, figure: Figure): number {
  return english[figure] === 0 ? Number.NaN : chinese[figure] / english[figure];
}

/** Chinese and English needs for the same tools side by side. */
export function pairsTable(rows: readonly PairRow[]): string {
  const cells = (quality: PairQuality, figure: Figure): string[] => {
    const of = (side: Quality): string => side[figure].toFixed(3);
    return [of(quality.chinese), of(quality.english), ratioOf(quality, figure).toFixed(2)];
  };
  return table(
    [
      'Pool',
      'English side',
      'Pairs',
      ...['nDCG@10', 'Recall@10'].flatMap((figure) => [`${figure} zh`, `${figure} en`, 'ratio']),
    ],
    rows.map(({ pool, english, quality }) => [
      pool,
      english,
      whole(quality.pairs),
      ...cells(quality, 'ndcg10'),
      ...cells(quality, 'recall10'),
    ]),
  );
}
