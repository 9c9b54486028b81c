/** How the cosines of a model are read; both depend on the model. */
export interface EvidencePolicy {
  /** 0 to 1: the part of the score that the likeness makes. */
  readonly share: number;
  /** Above 0, below 1: a tool that no word of the query finds is a result from here on. */
  readonly minCosine: number;
  /** 0 to 1: how well a result has to fit. */
  readonly minFit: number;
}

interface Likeness {
  readonly likeness: number;
  readonly fit: number;
}

/**
 * From the nearest tools, best first, what the ranking adds. Models differ in what cosines mean, so the likeness is told
 * within the answer, as the other parts of the score are: 1 for the nearest tool, 0 for the last one that was asked for
 * and all behind it. Whether a tool fits at all is told by its cosine alone.
 */
export function semanticEvidence(
  neighbours: readonly { readonly toolId: string; readonly cosine: number }[],
  { share, minCosine, minFit }: EvidencePolicy,
): { readonly share: number; readonly byTool: ReadonlyMap<string, Likeness> } {
  const best = neighbours[0]?.cosine ?? 0;
  const least = neighbours.at(-1)?.cosine ?? 0;
  const likenessOf = (cosine: number): number => {
    if (best > least) return (cosine - least) / (best - least);
    return cosine >= minCosine ? 1 : 0;
  };
  const fitOf = (cosine: number): number =>
    cosine < minCosine ? 0 : Math.min(1, minFit + ((1 - minFit) * (cosine - minCosine)) / (1 - minCosine));
  const entries = neighbours.map(
    ({ toolId, cosine }) => [toolId, { likeness: likenessOf(cosine), fit: fitOf(cosine) }] as const,
  );
  return { share, byTool: new Map(entries) };
}
