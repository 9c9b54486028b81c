import {
  bigramsOf,
  DEFAULT_MIN_FIT,
  isCjk,
  loadWordVectors,
  requestWords,
  shippedOptions,
  stemOf,
  ToolIndex,
  wordsOf,
  type SearchDocument,
} from '@capability-router/tool-search';
import { table } from '@capability-router/tools-bench';
import type { EvalQuery } from '../data/eval-data.js';
import { scorePool } from './score-pools.js';

/** Uses, all fresh, that a logged query counts as: the fewest that enter a document. */
const USES_OF_QUERY = 5;
/** As the registry keeps them. */
const MAX_TERMS_OF_QUERY = 32;
const MAX_TERMS_OF_TOOL = 50;
/** Tools that hold a word that the word vectors do not know. */
const MIN_DOCUMENT_FREQUENCY = 2;
/** Every n-th of the logged half of the queries; 0 is none. */
const logs = { 'no log': 0, 'a tenth of the queries': 5, 'half of the queries': 1 } as const;

/** Every second query is put, to all tools together; of the others, more and more have led to the tools that serve them. */
export function feedbackTable(documents: readonly SearchDocument[], queries: readonly EvalQuery[]): string {
  const asked = queries.filter((_, place) => place % 2 === 1);
  const logged = queries.filter((_, place) => place % 2 === 0);
  const plain = new ToolIndex(documents, shippedOptions());
  const vectors = loadWordVectors();
  const isCommon = (term: string): boolean =>
    plain.documentFrequencyOf(term) >= MIN_DOCUMENT_FREQUENCY || vectors.vectorOf(term) !== undefined;
  const rows = Object.entries(logs).map(([name, every]) => {
    const log = logged.filter((_, place) => every > 0 && place % every === 0);
    const index = new ToolIndex(withFeedback(documents, log, isCommon), shippedOptions());
    return { name, ...scorePool(asked, () => index, DEFAULT_MIN_FIT) };
  });
  const sources = Object.keys(rows[0]?.sources ?? {});
  const figure = (value: number | undefined): string => (value ?? Number.NaN).toFixed(3);
  return table(
    ['Log', 'nDCG@10', 'Recall@10', ...sources],
    rows.map(({ name, macro, sources: by }) => [
      name,
      figure(macro.ndcg10),
      figure(macro.recall10),
      ...sources.map((source) => figure(by[source]?.ndcg10)),
    ]),
  );
}

/** The tools with what the log teaches: words of queries by tool, the weightiest of them. */
export function withFeedback(
  documents: readonly SearchDocument[],
  log: readonly EvalQuery[],
  isCommon: (term: string) => boolean,
): SearchDocument[] {
  const weights = new Map<string, Map<string, number>>();
  for (const { text, relevant } of log) {
    const terms = termsOf(text, isCommon);
    for (const toolId of relevant) {
      const known = weights.get(toolId) ?? new Map<string, number>();
      for (const term of terms) known.set(term, (known.get(term) ?? 0) + USES_OF_QUERY);
      weights.set(toolId, known);
    }
  }
  return documents.map((document) => {
    const terms = [...(weights.get(document.toolId) ?? [])].map(([term, weight]) => ({ term, weight }));
    const feedback = terms.sort((a, b) => b.weight - a.weight).slice(0, MAX_TERMS_OF_TOOL);
    return feedback.length === 0 ? document : { ...document, feedback };
  });
}

function termsOf(text: string, isCommon: (term: string) => boolean): string[] {
  const terms = wordsOf(text).flatMap((word) => {
    if (isCjk(word)) return bigramsOf([...word]);
    return requestWords.has(word) ? [] : [stemOf(word)];
  });
  return [...new Set(terms.filter(isCommon))].slice(0, MAX_TERMS_OF_QUERY);
}
