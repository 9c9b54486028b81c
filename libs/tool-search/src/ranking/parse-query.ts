import type { ChineseGlosses } from '../glosses/index.js';
import { chineseRequestWords, functionCharacters, functionWords, requestWords } from '../text/stop-words.js';
import { isCjk, wordsOf } from '../text/words.js';
import { bigramsOf, stemOf } from '../tokenize.js';
import { MAX_EMBEDDED_TERMS } from '../vectors/word-vectors.js';

/** Characters of a query that are read; the rest is ignored. */
export const MAX_QUERY_LENGTH = 10_000;
/** Distinct terms that are looked at before the most telling of them are chosen. */
const MAX_PARSED_TERMS = 1_024;
/** Sentences that are told apart; what comes later belongs to the last of them. */
export const MAX_SENTENCES = 16;
/** A single character inside a longer CJK run helps to order hits and never makes one. */
const CJK_CHARACTER_WEIGHT = 0.2;

/** One unit of matching. */
export interface QueryTerm {
  readonly term: string;
  /** The word as the query has it, in lower case. */
  readonly surface: string;
  /** Scales its part of a score. */
  weight: number;
  /** A weak term alone never makes a hit. */
  readonly weak: boolean;
  /** Said by the user and not by a dictionary, so that it may be misspelt. */
  readonly said: boolean;
  /** Bit i: it stands in sentence i. */
  sentences: number;
}

export interface ParsedQuery {
  readonly terms: readonly QueryTerm[];
  /** Stems of all that is said in words of letters, in order and as often as it is said, but for function words. */
  readonly words: readonly string[];
  /** The same by sentence. */
  readonly wordsBySentence: readonly (readonly string[])[];
  readonly sentences: number;
  /** Neighbours within a sentence, by place in `terms`; what stands between them tells nothing. */
  readonly pairs: readonly (readonly [number, number])[];
}

const sentenceEnd = /[.!?;]+(?:\s+|$)|[\n。！？；]+/u;

/** Never throws; any text is a query, and one of function words alone has no terms. `glosses`: English words for Chinese ones. */
export function parseQuery(text: string, glosses?: ChineseGlosses): ParsedQuery {
  const sentences = text
    .slice(0, MAX_QUERY_LENGTH)
    .split(sentenceEnd)
    .map((sentence) => wordsOf(sentence))
    .filter((words) => words.length > 0);
  if (!sentences.some((words) => words.some(saysSomething))) return saysNothing;
  // A request of nothing but request words is searched for these: there may be a tool of that name.
  const telling = sentences.some((words) => words.some((word) => !requestWords.has(word)));
  const collector = new Collector(glosses);
  const wordsBySentence: string[][] = [];
  let last = 0;
  let room = MAX_EMBEDDED_TERMS;
  for (const words of sentences) {
    const said = words.filter((word) => !isCjk(word) && !functionWords.has(word)).slice(0, room);
    room -= said.length;
    const kept = telling ? words.filter((word) => !requestWords.has(word)) : words;
    // Other words beside the telling ones stand with them.
    const sentence = Math.min(last, MAX_SENTENCES - 1);
    (wordsBySentence[sentence] ??= []).push(...said.map(stemOf));
    if (kept.length === 0) continue;
    collector.addSentence(kept, sentence);
    last += 1;
  }
  const words = wordsBySentence.flat();
  const { terms, pairs } = collector;
  return { terms, words, wordsBySentence, sentences: Math.min(last, MAX_SENTENCES), pairs };
}

/** The first terms of a text; none where it says nothing but function words. */
export const queryTerms = (text: string, maxTerms: number): readonly QueryTerm[] =>
  parseQuery(text).terms.slice(0, maxTerms);

const saysNothing: ParsedQuery = { terms: [], words: [], wordsBySentence: [], sentences: 0, pairs: [] };

const saysSomething = (word: string): boolean => !functionWords.has(word) && !isFunctionRun(word);

const isFunctionRun = (word: string): boolean => [...word].every((character) => functionCharacters.has(character));

class Collector {
  readonly terms: QueryTerm[] = [];
  readonly pairs: [number, number][] = [];
  private readonly places = new Map<string, number>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly glosses: ChineseGlosses | undefined) {}

  addSentence(words: readonly string[], sentence: number): void {
    let previous: number | undefined;
    for (const word of words) {
      const place = isCjk(word) ? this.addCjk(word, sentence) : this.addWord(stemOf(word), word, sentence);
      if (place !== undefined && previous !== undefined) this.pairs.push([previous, place]);
      previous = place;
    }
  }

  /** A word said n times counts √n. */
  private addWord(term: string, surface: string, sentence: number): number | undefined {
    const count = (this.counts.get(term) ?? 0) + 1;
    this.counts.set(term, count);
    return this.add(term, surface, Math.sqrt(count), false, sentence);
  }

  private addCjk(run: string, sentence: number): undefined {
    const characters = [...run];
    const [only] = characters;
    if (characters.length === 1 && only !== undefined) this.add(only, only, 1, functionCharacters.has(only), sentence);
    else {
      for (const bigram of bigramsOf(characters)) this.add(bigram, bigram, 1, false, sentence);
      for (const character of characters) {
        if (!functionCharacters.has(character)) this.add(character, character, CJK_CHARACTER_WEIGHT, true, sentence);
      }
    }
    for (const { chinese, english } of this.glosses?.of(run) ?? []) {
      if (!chineseRequestWords.has(chinese)) this.add(stemOf(english), chinese, 1, false, sentence, false);
    }
    return undefined;
  }

  private add(
    term: string,
    surface: string,
    weight: number,
    weak: boolean,
    sentence: number,
    said = true,
  ): number | undefined {
    const place = this.places.get(term);
    const known = place === undefined ? undefined : this.terms[place];
    if (known !== undefined) {
      known.weight = Math.max(known.weight, weight);
      known.sentences |= 1 << sentence;
      return place;
    }
    if (this.terms.length >= MAX_PARSED_TERMS) return undefined;
    this.places.set(term, this.terms.length);
    return this.terms.push({ term, surface, weight, weak, said, sentences: 1 << sentence }) - 1;
  }
}
