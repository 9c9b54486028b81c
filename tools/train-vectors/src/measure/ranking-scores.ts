export interface RankingScore {
  /** Normalised discounted cumulative gain, 0 to 1. */
  readonly gain: number;
  /** The part of the relevant tools that was found, 0 to 1. */
  readonly recall: number;
}

/** Of the first `ranks` of `ranked`, by binary relevance. `relevant` is not empty. */
export function scoreRanking(ranked: readonly string[], relevant: ReadonlySet<string>, ranks: number): RankingScore {
  const discount = (rank: number): number => 1 / Math.log2(rank + 2);
  let gain = 0;
  let found = 0;
  ranked.slice(0, ranks).forEach((id, rank) => {
    if (!relevant.has(id)) return;
    gain += discount(rank);
    found += 1;
  });
  let ideal = 0;
  for (let rank = 0; rank < Math.min(ranks, relevant.size); rank += 1) ideal += discount(rank);
  return { gain: gain / ideal, recall: found / relevant.size };
}

/** Each counts alike. `scores` is not empty. */
export function meanScores(scores: readonly RankingScore[]): RankingScore {
  const mean = (of: keyof RankingScore): number => scores.reduce((sum, score) => sum + score[of], 0) / scores.length;
  return { gain: mean('gain'), recall: mean('recall') };
}
