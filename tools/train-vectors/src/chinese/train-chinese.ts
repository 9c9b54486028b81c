import { chineseRequestWords, documentTerms, type VectorTable, type WordVectors } from '@capability-router/tool-search';
import { quantise } from '../model/quantise.js';
import { seededRandom, shuffle } from '../model/random.js';
import { SEED } from '../train.js';
import type { ChineseWords, EnglishLesson } from './ask-chinese-teacher.js';

/** Texts by which the teacher's directions are turned into those of the English vectors: what a Chinese word may mean is as short. */
const LESSONS = { words: 2_500, spans: 3_500 };
const SPAN = { leastWords: 2, mostWords: 5, mostCharacters: 44 };
/** Chinese words that are asked about, the most common ones. */
export const CHINESE_WORDS = 20_000;

/** Answers with a direction for each of the `count` most common Chinese words. */
export type ChineseTeacher = (lessons: readonly EnglishLesson[], count: number) => Promise<ChineseWords>;

/**
 * Vectors of common Chinese words in the space of the English ones, of length 1. Words with which people ask have none. The same for every
 * run in which the teacher answers the same.
 */
export async function trainChinese(
  texts: readonly string[],
  english: WordVectors,
  teacher: ChineseTeacher,
): Promise<VectorTable> {
  const asked = await teacher(lessonsOf(texts, english), CHINESE_WORDS);
  const terms = asked.words.filter((word) => !chineseRequestWords.has(word));
  const numbers = new Map(asked.words.map((word, number) => [word, number]));
  return quantise(asked.vectors, english.dimensions, { terms, numbers }, new Map());
}

function lessonsOf(texts: readonly string[], english: WordVectors): EnglishLesson[] {
  const random = seededRandom(SEED);
  const words = shuffle(
    texts.filter((text) => !text.includes(' ')),
    random,
  );
  const spans = shuffle(texts.filter(isSpan), random);
  return [...words.slice(0, LESSONS.words), ...spans.slice(0, LESSONS.spans)].flatMap((text) => {
    const direction = english.embedText(documentTerms(text));
    return direction === undefined ? [] : [{ text, direction }];
  });
}

function isSpan(text: string): boolean {
  const words = text.split(' ').length;
  return words >= SPAN.leastWords && words <= SPAN.mostWords && text.length <= SPAN.mostCharacters;
}
