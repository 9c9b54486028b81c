import { bigramsOf, isCjk, loadWordVectors, requestWords, stemOf, wordsOf } from '@capability-router/tool-search';
import type { CatalogueCopy } from '../search-index/catalogue-copy.js';
import type { FeedbackTerm, FeedbackVocabulary } from './domain/feedback-terms.js';

/** Published tools that hold a term before it counts as a word of the catalogue. */
const MIN_DOCUMENT_FREQUENCY = 2;

/**
 * The index's own words. A term is common when several published tools hold it or the word vectors know it, which were
 * trained on texts about tools and know no word that stood in few of them.
 */
export function indexVocabulary(catalogue: Pick<CatalogueCopy, 'documentFrequenciesOf'>): FeedbackVocabulary {
  const vectors = loadWordVectors();
  return {
    termsOf: (text) => wordsOf(text).flatMap(termsOfWord),
    commonAmong: async (terms) => {
      const unknown = terms.filter((term) => vectors.vectorOf(term) === undefined);
      const frequencies = unknown.length === 0 ? [] : await catalogue.documentFrequenciesOf(unknown);
      const rare = new Set(unknown.filter((_, place) => (frequencies[place] ?? 0) < MIN_DOCUMENT_FREQUENCY));
      return new Set(terms.filter((term) => !rare.has(term)));
    },
  };
}

/** A run of CJK characters gives its pairs, because a single one stands in nearly every text. */
function termsOfWord(word: string): FeedbackTerm[] {
  if (isCjk(word)) return bigramsOf([...word]).map((pair) => ({ term: pair, word: pair }));
  return requestWords.has(word) ? [] : [{ term: stemOf(word), word }];
}
