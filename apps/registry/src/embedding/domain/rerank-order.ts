interface Scored {
  readonly score: number;
  readonly finalScore: number;
}

/**
 * The hits by what the ranking and the reranker say of them; those beyond `judgements` stay behind, as they were. The
 * scale of a reranker is its own, so its scores are told within the answer: 1 for the best and 0 for the worst. What the
 * hits say about fitting at all (`finalScore`) is dealt out again in the new order.
 *
 * `judgements`: one per hit from the first on. `share`, 0 to 1: the part of the score that they make.
 */
export function rerankOrder<Hit extends Scored>(
  hits: readonly Hit[],
  judgements: readonly number[],
  share: number,
): Hit[] {
  const best = Math.max(...judgements);
  const worst = Math.min(...judgements);
  if (!(best > worst)) return [...hits];
  const finalScores = hits.slice(0, judgements.length).map((hit) => hit.finalScore);
  finalScores.sort((a, b) => b - a);
  const judged = judgements.flatMap((judgement, place) => {
    const hit = hits[place];
    if (hit === undefined) return [];
    return [{ hit, place, score: (1 - share) * hit.score + (share * (judgement - worst)) / (best - worst) }];
  });
  judged.sort((a, b) => b.score - a.score || a.place - b.place);
  const first = judged.map(({ hit, score }, place) => ({ ...hit, score, finalScore: finalScores[place] ?? 0 }));
  const leastScore = first.at(-1)?.score ?? 1;
  const rest = hits.slice(judgements.length).map((hit) => ({ ...hit, score: Math.min(hit.score, leastScore) }));
  return [...first, ...rest];
}
