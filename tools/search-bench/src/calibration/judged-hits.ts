import type { ToolIndex } from '@capability-router/tool-search';
import { DEPTH } from '../quality/metrics.js';
import { languages, type Half, type Language, type NeedsData } from '../needs/needs-data.js';

export interface JudgedHit {
  readonly toolId: string;
  readonly half: Half;
  readonly language: Language;
  /** Whether the need is one that nothing serves. */
  readonly unserved: boolean;
  readonly need: string;
  readonly finalScore: number;
  readonly relevant: boolean;
}

/**
 * The first ten tools for every need in both languages, of the needs that nothing serves every second one in each half, with
 * what readers said of them. `asShown`: a `finalScore` is never above that of a better hit, as in an answer.
 */
export function judgedHits({ needs, unserved, sources }: NeedsData, index: ToolIndex, asShown = true): JudgedHit[] {
  const halfOf = new Map(sources.map(({ source, half }) => [source, half]));
  const all = [
    ...needs.map((need) => ({ ...need, half: halfOf.get(need.source) ?? 'choose', unserved: false })),
    ...unserved.map((need, at) => ({
      ...need,
      half: at % 2 === 0 ? ('choose' as const) : ('report' as const),
      unserved: true,
      relevant: [] as readonly string[],
    })),
  ];
  return languages.flatMap((language) =>
    all.flatMap((need) => {
      let least = 1;
      return index.search(need[language], { limit: DEPTH }).map(({ toolId, finalScore }) => {
        least = asShown ? Math.min(least, finalScore) : finalScore;
        const { half, unserved: none, id } = need;
        const relevant = need.relevant.includes(toolId);
        return { toolId, half, language, unserved: none, need: id, finalScore: least, relevant };
      });
    }),
  );
}
