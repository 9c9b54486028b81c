import {
  DEFAULT_MIN_FIT,
  type SearchOptions,
  type SemanticEvidence,
  type ToolIndex,
} from '@capability-router/tool-search';
import type { EvalQuery } from '../data/eval-data.js';
import { DEPTH, meanQuality, qualityOf, type Quality } from '../quality/metrics.js';
import type { PoolQuality } from '../quality/score-pools.js';
import { halves, languages, type Half, type Language, type NeedsData, type Style } from './needs-data.js';

export interface ScoredNeed {
  readonly source: string;
  readonly half: Half;
  readonly style: Style;
  readonly language: Language;
  readonly quality: Quality;
}

/** The judgement of a model about the tools for a text; absent where it is not asked. */
export type EvidenceOf = (text: string) => SemanticEvidence | undefined;

/** Every need in both languages, put to the whole catalogue as the registry searches. */
export function scoreNeeds({ needs, sources }: NeedsData, index: ToolIndex, evidenceOf?: EvidenceOf): ScoredNeed[] {
  const halfOf = new Map(sources.map(({ source, half }) => [source, half]));
  return needs.flatMap((need) =>
    languages.map((language) => {
      const hits = index.search(need[language], { limit: DEPTH, ...optionsOf(need[language], evidenceOf) });
      const ranked = hits.map(({ toolId }) => toolId);
      return {
        source: need.source,
        half: halfOf.get(need.source) ?? 'choose',
        style: need.style,
        language,
        quality: qualityOf(ranked, new Set(need.relevant)),
      };
    }),
  );
}

/** The mean of each source and the mean of those, each weighing the same. */
export function bySource(scored: readonly ScoredNeed[]): PoolQuality {
  const sources: Record<string, Quality> = {};
  for (const source of new Set(scored.map((need) => need.source))) {
    sources[source] = meanQuality(scored.filter((need) => need.source === source).map(({ quality }) => quality));
  }
  return { macro: meanQuality(Object.values(sources)), sources };
}

/** The figures that the floor holds: each half in each language, `report en`. */
export function byHalf(scored: readonly ScoredNeed[]): Record<string, PoolQuality> {
  return Object.fromEntries(
    halves.flatMap((half) =>
      languages.map((language) => [
        `${half} ${language}`,
        bySource(scored.filter((need) => need.half === half && need.language === language)),
      ]),
    ),
  );
}

/** The needs as queries whose source is their half and language. */
export function asQueries({ needs, sources }: NeedsData): EvalQuery[] {
  const halfOf = new Map(sources.map(({ source, half }) => [source, half]));
  return languages.flatMap((language) =>
    needs.map((need) => ({
      text: need[language],
      lang: language,
      source: `${halfOf.get(need.source)} ${language}`,
      relevant: need.relevant,
    })),
  );
}

/** How many of the needs that no tool serves get an answer all the same. */
export function answeredOf(
  { unserved }: NeedsData,
  index: ToolIndex,
  evidenceOf?: EvidenceOf,
): Record<Language, number> {
  const answered = (language: Language): number =>
    unserved.filter(
      (need) => index.search(need[language], { limit: 1, ...optionsOf(need[language], evidenceOf) }).length > 0,
    ).length;
  return { en: answered('en'), zh: answered('zh') };
}

function optionsOf(text: string, evidenceOf: EvidenceOf | undefined): Omit<SearchOptions, 'limit'> {
  const semantic = evidenceOf?.(text);
  return { minFit: DEFAULT_MIN_FIT, ...(semantic === undefined ? {} : { semantic }) };
}
