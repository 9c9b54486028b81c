import { ToolIndex, wordVectorsOf } from '@capability-router/tool-search';
import type { SearchDocument } from '@capability-router/tool-search';
import { originOf } from '../sources/labelled-queries.js';
import type { LabelledData, LabelledTool } from '../sources/labelled-queries.js';
import { withQueryWeights } from '../train.js';
import type { TrainedVectors } from '../train.js';
import { meanScores, scoreRanking } from './ranking-scores.js';
import type { RankingScore } from './ranking-scores.js';

/** Of each source, queries that are measured. */
const MAX_QUERIES_OF_SOURCE = 300;
const RANKS = 10;

/** What the engine gives to vectors, and whether query weights were trained. */
interface Variant {
  readonly vectors: number;
  readonly queryWeights: boolean;
}

const variants: readonly Variant[] = [
  { vectors: 0, queryWeights: false },
  { vectors: 0, queryWeights: true },
  ...[0.5, 1, 1.5, 2].flatMap((vectors) => [
    { vectors, queryWeights: false },
    { vectors, queryWeights: true },
  ]),
];

/**
 * nDCG@10 and Recall@10 of the engine for the queries of each origin among all tools, with query weights from the
 * other origins; the vectors themselves know no query at all. One line a variant, macro over sources, and under it one
 * a source.
 */
export function measureLeavingOut(trained: TrainedVectors, labelled: LabelledData): string[] {
  const documents = labelled.tools.map(toDocument);
  const bySource = queriesBySource(labelled);
  return variants.flatMap(({ vectors, queryWeights }) => {
    const scores = new Map<string, RankingScore>();
    for (const origin of new Set([...bySource.keys()].map(originOf))) {
      const { table } = withQueryWeights(trained, labelled, (other) => queryWeights && other !== origin);
      const index = new ToolIndex(documents, { wordVectors: wordVectorsOf(table), weights: { vectors } });
      for (const [source, queries] of bySource) {
        if (originOf(source) !== origin) continue;
        const found = queries.map(({ text, relevant }) => {
          const ranked = index.search(text, { limit: RANKS }).map(({ toolId }) => toolId);
          return scoreRanking(ranked, new Set(relevant), RANKS);
        });
        scores.set(source, meanScores(found));
      }
    }
    const line = ({ gain, recall }: RankingScore): string =>
      `nDCG@10 ${gain.toFixed(4)}, Recall@10 ${recall.toFixed(4)}`;
    return [
      `vectors × ${vectors}, ${queryWeights ? 'with' : 'no'} query weights: ${line(meanScores([...scores.values()]))}`,
      ...[...scores].map(([source, score]) => `    ${source}: ${line(score)}`),
    ];
  });
}

function queriesBySource({ queries }: LabelledData): Map<string, LabelledData['queries'][number][]> {
  const bySource = new Map<string, LabelledData['queries'][number][]>();
  for (const query of queries) {
    const known = bySource.get(query.source);
    if (known === undefined) bySource.set(query.source, [query]);
    else if (known.length < MAX_QUERIES_OF_SOURCE) known.push(query);
  }
  return bySource;
}

function toDocument(tool: LabelledTool): SearchDocument {
  return {
    toolId: tool.id,
    name: [tool.name],
    description: [tool.description],
    provider: tool.provider === undefined ? [] : [tool.provider],
    category: tool.categories ?? [],
    params: tool.params.flatMap(({ name, description }) => [name, description ?? '']).filter((text) => text !== ''),
  };
}
