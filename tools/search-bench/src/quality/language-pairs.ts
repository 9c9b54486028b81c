import { DEFAULT_MIN_FIT, type ToolIndex } from '@capability-router/tool-search';
import type { EvalQuery, EvalTool } from '../data/eval-data.js';
import { DEPTH, meanQuality, qualityOf, type Quality } from './metrics.js';

/** A Chinese query and what is asked in English for the same tools; of several English queries the mean counts. */
export interface LanguagePair {
  readonly relevant: readonly string[];
  readonly chinese: string;
  readonly english: readonly string[];
}

/** Means over the pairs. */
export interface PairQuality {
  readonly pairs: number;
  readonly chinese: Quality;
  readonly english: Quality;
}

const setKey = (toolIds: readonly string[]): string => JSON.stringify([...new Set(toolIds)].sort());

/** Each Chinese query for one tool with that tool's English name, taken apart into words (`DeleteScene`: `Delete Scene`). */
export function pairsWithNames(queries: readonly EvalQuery[], tools: readonly EvalTool[]): LanguagePair[] {
  const names = new Map(tools.map(({ id, name }) => [id, name]));
  return chineseOf(queries).flatMap(({ text, relevant }) => {
    const name = names.get(relevant[0] ?? '');
    if (relevant.length !== 1 || name === undefined) return [];
    return [{ relevant, chinese: text, english: [inWords(name)] }];
  });
}

/** Each Chinese query with the English queries that have just the same relevant tools; those that have none are left out. */
export function pairsWithQueries(queries: readonly EvalQuery[]): LanguagePair[] {
  const english = new Map<string, string[]>();
  for (const { lang, text, relevant } of queries) {
    if (lang !== 'en') continue;
    const key = setKey(relevant);
    english.set(key, [...(english.get(key) ?? []), text]);
  }
  return chineseOf(queries).flatMap(({ text, relevant }) => {
    const same = english.get(setKey(relevant));
    return same === undefined ? [] : [{ relevant, chinese: text, english: same }];
  });
}

export function scorePairs(pairs: readonly LanguagePair[], index: ToolIndex): PairQuality {
  const quality = (text: string, relevant: readonly string[]): Quality => {
    const hits = index.search(text, { limit: DEPTH, minFit: DEFAULT_MIN_FIT });
    return qualityOf(
      hits.map(({ toolId }) => toolId),
      new Set(relevant),
    );
  };
  return {
    pairs: pairs.length,
    chinese: meanQuality(pairs.map(({ chinese, relevant }) => quality(chinese, relevant))),
    english: meanQuality(
      pairs.map(({ english, relevant }) => meanQuality(english.map((text) => quality(text, relevant)))),
    ),
  };
}

const chineseOf = (queries: readonly EvalQuery[]): EvalQuery[] => queries.filter(({ lang }) => lang === 'zh');

const inWords = (name: string): string =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_\s]+/g, ' ')
    .trim();
