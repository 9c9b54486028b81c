import { isCjk } from '../text/words.js';
import type { ResolvedTerm } from './resolve-terms.js';
import { maxImpact } from './weights.js';

/** Words by which it is judged whether a tool fits: a long request says much that no tool says. */
const JUDGED_WORDS = 3;

/**
 * The score that a tool would reach that holds the most important words of the query, as often as can count. A word that no tool holds counts as
 * the rarest one, so that a half-understood query never scores like a full hit. Of the English words for a Chinese one
 * only the most important counts, and what only stands in Chinese counts where some tool holds it.
 */
export function ceilingOf(terms: readonly (ResolvedTerm | undefined)[]): number {
  const glossed = terms.some((term) => term?.said === false);
  const byChineseWord = new Map<string, number>();
  const importances: number[] = [];
  for (const term of terms) {
    if (term === undefined) continue;
    if (!term.said) {
      byChineseWord.set(term.surface, Math.max(byChineseWord.get(term.surface) ?? 0, term.importance));
    } else if (!glossed || term.number !== -1 || !isCjk(term.term)) importances.push(term.importance);
  }
  importances.push(...byChineseWord.values());
  const judged = importances.sort((a, b) => b - a).slice(0, JUDGED_WORDS);
  return Math.max(Number.MIN_VALUE, maxImpact * judged.reduce((sum, importance) => sum + importance, 0));
}
