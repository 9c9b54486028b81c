import { DEFAULT_MIN_FIT, type ToolIndex } from '@capability-router/tool-search';
import type { EvalQuery } from '../data/eval-data.js';
import { DEPTH, meanQuality, qualityOf, type Quality } from './metrics.js';

/** Quality in one pool of tools. */
export interface PoolQuality {
  /** Mean over the sources, each weighing the same. */
  readonly macro: Quality;
  readonly sources: Readonly<Record<string, Quality>>;
}

/** Sources in the order in which the data names them. */
export function sourcesOf(queries: readonly EvalQuery[]): string[] {
  return [...new Set(queries.map(({ source }) => source))];
}

/** `indexOf`: the pool that queries of a source are put to. */
export function scorePool(
  queries: readonly EvalQuery[],
  indexOf: (source: string) => ToolIndex,
  minFit = DEFAULT_MIN_FIT,
): PoolQuality {
  const sources: Record<string, Quality> = {};
  for (const source of sourcesOf(queries)) {
    const index = indexOf(source);
    const own = queries.filter((query) => query.source === source);
    sources[source] = meanQuality(
      own.map(({ text, relevant }) => {
        const ranked = index.search(text, { limit: DEPTH, minFit }).map(({ toolId }) => toolId);
        return qualityOf(ranked, new Set(relevant));
      }),
    );
  }
  return { macro: meanQuality(Object.values(sources)), sources };
}
