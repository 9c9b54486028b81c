/** Results that are looked at. */
export const DEPTH = 10;

/** Each from 0 to 1. */
export interface Quality {
  readonly ndcg10: number;
  readonly recall5: number;
  readonly recall10: number;
  /** Reciprocal rank of the first relevant result among the first ten; 0 where there is none. */
  readonly mrr: number;
}

const gainAt = (rank: number): number => 1 / Math.log2(rank + 1);

/** The quality of one query with binary relevance. `ranked`: tool ids, best first. */
export function qualityOf(ranked: readonly string[], relevant: ReadonlySet<string>): Quality {
  const top = ranked.slice(0, DEPTH);
  let gain = 0;
  let first = 0;
  top.forEach((toolId, index) => {
    if (!relevant.has(toolId)) return;
    gain += gainAt(index + 1);
    if (first === 0) first = index + 1;
  });
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(relevant.size, DEPTH); rank += 1) ideal += gainAt(rank);
  const found = (depth: number): number => top.slice(0, depth).filter((toolId) => relevant.has(toolId)).length;
  return {
    ndcg10: ideal === 0 ? 0 : gain / ideal,
    recall5: found(5) / Math.max(1, relevant.size),
    recall10: found(10) / Math.max(1, relevant.size),
    mrr: first === 0 ? 0 : 1 / first,
  };
}

/** Mean of each figure; zeros for none. */
export function meanQuality(values: readonly Quality[]): Quality {
  const mean = (read: (value: Quality) => number): number =>
    values.reduce((sum, value) => sum + read(value), 0) / Math.max(1, values.length);
  return {
    ndcg10: mean(({ ndcg10 }) => ndcg10),
    recall5: mean(({ recall5 }) => recall5),
    recall10: mean(({ recall10 }) => recall10),
    mrr: mean(({ mrr }) => mrr),
  };
}
