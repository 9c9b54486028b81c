import { chineseRequestWords } from '../text/stop-words.js';
import { isCjk, wordsOf } from '../text/words.js';
import type { ChineseGlosses } from './chinese-glosses.js';

/** English words for one Chinese word: the best of the dictionary say what is meant, and further ones something else. */
const WORDS_OF_A_WORD = 2;

/**
 * The words of a text in their order, and in the place of Chinese ones the English words that a dictionary has for them: for a
 * model that knows no Chinese. What no dictionary has is left out.
 */
export function inEnglish(text: string, glosses: ChineseGlosses): string {
  const words = wordsOf(text).flatMap((word) => (isCjk(word) ? bestOf(word, glosses) : [word]));
  return words.join(' ');
}

function bestOf(run: string, glosses: ChineseGlosses): string[] {
  const told = new Map<string, number>();
  return glosses.of(run).flatMap(({ chinese, english }) => {
    const count = (told.get(chinese) ?? 0) + 1;
    told.set(chinese, count);
    return count > WORDS_OF_A_WORD || chineseRequestWords.has(chinese) ? [] : [english];
  });
}
