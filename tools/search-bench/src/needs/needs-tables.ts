import { table, whole } from '@capability-router/tools-bench';
import { halves, languages, styles, type Language } from './needs-data.js';
import { bySource, type ScoredNeed } from './score-needs.js';

const figure = (value: number): string => value.toFixed(3);

/** Quality by half, style and language; each source weighs the same. */
export function stylesTable(scored: readonly ScoredNeed[]): string {
  const rows = halves.flatMap((half) =>
    ['all', ...styles].flatMap((style) =>
      languages.map((language) => {
        const of = scored.filter(
          (need) => need.half === half && need.language === language && (style === 'all' || need.style === style),
        );
        const { ndcg10, recall10, mrr } = bySource(of).macro;
        return [half, style, language, whole(of.length), figure(ndcg10), figure(recall10), figure(mrr)];
      }),
    ),
  );
  return table(['Half', 'Style', 'Language', 'Needs', 'nDCG@10', 'Recall@10', 'MRR'], rows);
}

/** nDCG@10 and Recall@10 of each source in both languages. */
export function sourcesTable(scored: readonly ScoredNeed[]): string {
  const of = (language: Language) => bySource(scored.filter((need) => need.language === language)).sources;
  const [english, chinese] = [of('en'), of('zh')];
  const halfOf = new Map(scored.map(({ source, half }) => [source, half]));
  return table(
    ['Source', 'Half', 'nDCG@10 en', 'nDCG@10 zh', 'Recall@10 en', 'Recall@10 zh'],
    Object.entries(english).map(([source, quality]) => [
      source,
      halfOf.get(source) ?? '',
      figure(quality.ndcg10),
      figure(chinese[source]?.ndcg10 ?? Number.NaN),
      figure(quality.recall10),
      figure(chinese[source]?.recall10 ?? Number.NaN),
    ]),
  );
}
