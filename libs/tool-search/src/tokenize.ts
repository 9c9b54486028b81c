import { stem } from './stem.js';

/** One unit of matching. `weight` scales its part of a score; a weak term alone never makes a hit. */
export interface QueryTerm {
  readonly term: string;
  /** The word as the query has it, in lower case. */
  readonly surface: string;
  readonly weight: number;
  readonly weak: boolean;
}

/** Words that stand in most requests and tell nothing about the tool. Kept small: a tool name may consist of them. */
const stopWords = new Set(
  (
    'a an and are as at be by can do for from get give has have how i in into is it its me my need of on or our please ' +
    'some that the their them this to tool tools use using want we what when where which who will with you your'
  ).split(' '),
);

/** Function characters of Chinese; as single characters they match nearly everything. */
const stopCharacters = new Set('的了和与或在是把将为个一我要请用');

const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{Letter}\p{Mark}\p{Number}]+/gu;
const cjkPattern = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** `parseCSVFile` → `parse CSV File`. */
const camelCasePattern = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
/** A run of Latin letters or digits beside a run of CJK characters is a word of its own. */
const scriptEdgePattern =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])(?=[\p{Script=Latin}\p{Nd}])|(?<=[\p{Script=Latin}\p{Nd}])(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])/gu;
const versionPattern = /^v\d+$/;

/** A single character inside a longer CJK run helps to order hits and never makes one. */
const cjkCharacterWeight = 0.2;
/** Characters; what is longer is no word. */
const maxWordLength = 64;

function words(text: string): string[] {
  const spaced = text.normalize('NFKC').replace(camelCasePattern, ' ').replace(scriptEdgePattern, ' ').toLowerCase();
  return spaced.match(wordPattern) ?? [];
}

function cjkBigrams(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** The terms of a text that is searched in, with repetitions. */
export function documentTerms(text: string): string[] {
  const terms: string[] = [];
  for (const word of words(text)) {
    if (cjkPattern.test(word)) {
      const characters = [...word];
      terms.push(...characters, ...cjkBigrams(characters));
    } else if (word.length <= maxWordLength && !stopWords.has(word) && !versionPattern.test(word)) {
      terms.push(stem(word));
    }
  }
  return terms;
}

/** The distinct terms of a query in order of appearance, at most `maxTerms`. */
export function queryTerms(text: string, maxTerms: number): QueryTerm[] {
  const found = new Map<string, QueryTerm>();
  const add = (surface: string, weight: number, weak: boolean, term = surface): void => {
    const known = found.get(term);
    if (known === undefined ? found.size < maxTerms : known.weight < weight)
      found.set(term, { term, surface, weight, weak });
  };
  for (const word of words(text)) {
    if (cjkPattern.test(word)) {
      const characters = [...word];
      if (characters.length === 1) add(word, 1, stopCharacters.has(word));
      else {
        for (const bigram of cjkBigrams(characters)) add(bigram, 1, false);
        for (const character of characters) {
          if (!stopCharacters.has(character)) add(character, cjkCharacterWeight, true);
        }
      }
    } else if (word.length <= maxWordLength && !stopWords.has(word) && !versionPattern.test(word)) {
      add(word, 1, false, stem(word));
    }
  }
  return [...found.values()];
}
