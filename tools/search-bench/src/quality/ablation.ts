import {
  DEFAULT_MIN_FIT,
  loadWordVectors,
  shippedOptions,
  ToolIndex,
  type SearchDocument,
  type ToolIndexOptions,
  type WordVectors,
} from '@capability-router/tool-search';
import { table } from '@capability-router/tools-bench';
import type { EvalQuery } from '../data/eval-data.js';
import { scorePool } from './score-pools.js';

/** The shipped index, and it without one part or with another choice. */
function variants(): Readonly<Record<string, ToolIndexOptions>> {
  const shipped = shippedOptions();
  const { glosses: _glosses, ...withoutGlosses } = shipped;
  const only = {
    plain: 0,
    bestSentence: 0,
    nearestSentence: 0,
    name: 0,
    words: 0,
    leastWord: 0,
    pairs: 0,
    vectors: 0,
  };
  return {
    'without a minimum score (so are all below)': shipped,
    'without plain BM25': { ...shipped, weights: { plain: 0 } },
    'without sentences': { ...shipped, weights: { bestSentence: 0, nearestSentence: 0 } },
    'without the share of the name': { ...shipped, weights: { name: 0 } },
    'without nearness word by word': { ...shipped, weights: { words: 0, leastWord: 0 } },
    'without the word that is least near': { ...shipped, weights: { leastWord: 0 } },
    'without pairs of words that both say': { ...shipped, weights: { pairs: 0 } },
    'without vectors of pairs of words': { ...shipped, wordVectors: withoutPairs(loadWordVectors()) },
    'without likeness by word vectors': { ...shipped, weights: { vectors: 0 } },
    'without spelling': { ...shipped, spelling: false },
    'without Chinese glosses': withoutGlosses,
    'BM25F and plain BM25, a half each': {
      glosses: shipped.glosses,
      weights: { ...only, plain: 1 },
    } as ToolIndexOptions,
    'BM25F alone': { glosses: shipped.glosses, weights: only } as ToolIndexOptions,
  };
}

const withoutPairs = (vectors: WordVectors): WordVectors => ({
  ...vectors,
  rowOfPair: () => -1,
  embedText: (terms, beside = []) => vectors.embedText([], [...terms.map((term) => ({ term, weight: 1 })), ...beside]),
});

/** nDCG@10 and Recall@10 of each variant in one pool: macro, then nDCG@10 by source. */
export function ablationTable(documents: readonly SearchDocument[], queries: readonly EvalQuery[]): string {
  const rowOf = (name: string, options: ToolIndexOptions, minFit: number) => {
    const index = new ToolIndex(documents, options);
    return { name, ...scorePool(queries, () => index, minFit) };
  };
  const rows = [
    rowOf('as shipped', shippedOptions(), DEFAULT_MIN_FIT),
    // The minimum is calibrated for what is shipped.
    ...Object.entries(variants()).map(([name, options]) => rowOf(name, options, 0)),
  ];
  const sources = Object.keys(rows[0]?.sources ?? {});
  const figure = (value: number | undefined): string => (value ?? Number.NaN).toFixed(3);
  return table(
    ['Ranking', 'nDCG@10', 'Recall@10', ...sources],
    rows.map(({ name, macro, sources: by }) => [
      name,
      figure(macro.ndcg10),
      figure(macro.recall10),
      ...sources.map((source) => figure(by[source]?.ndcg10)),
    ]),
  );
}
