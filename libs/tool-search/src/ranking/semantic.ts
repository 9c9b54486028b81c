import type { Location } from '../index/segmented-index.js';
import type { Segment } from '../index/segment.js';
import type { Candidate } from './lexical-scores.js';

/** The judgement of a caller's own model about tools, for one query. */
export interface SemanticEvidence {
  /** 0 to 1: the part of the score that the likeness makes; the rest is what the words make. */
  readonly share: number;
  /** By tool id. A tool that is not among them is not like the query. */
  readonly byTool: ReadonlyMap<string, SemanticLikeness>;
}

export interface SemanticLikeness {
  /** 0 to 1, of the most alike tool of the query 1. */
  readonly likeness: number;
  /** 0 to 1, comparable between queries: how well the tool fits, at least. */
  readonly fit: number;
}

/**
 * The candidates, and behind them the tools that only the model found. Their words count nothing: whatever of them is in
 * the query, a thousand tools have more of it.
 */
export function withSemantic(
  candidates: readonly Candidate[],
  { byTool }: SemanticEvidence,
  segments: readonly Segment[],
  locate: (toolId: string) => Readonly<Location> | undefined,
): readonly Candidate[] {
  const bases = new Map<Segment, number>();
  let base = 0;
  for (const segment of segments) {
    bases.set(segment, base);
    base += segment.toolIds.length;
  }
  const known = new Set(candidates.map(({ place }) => place));
  const added: Candidate[] = [];
  for (const toolId of byTool.keys()) {
    const location = locate(toolId);
    const first = location === undefined ? undefined : bases.get(location.segment);
    if (location === undefined || first === undefined) continue;
    const place = first + location.document;
    if (!known.has(place)) added.push({ ...location, place, fields: 0, plain: 0 });
  }
  return [...candidates, ...added];
}
