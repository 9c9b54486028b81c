/** Characters; what is longer is no word. */
export const MAX_WORD_LENGTH = 64;
/** Characters; of a longer compound (`getUserByName`) only the parts are words, of a shorter one (`YouTube`) it is one too. */
const MAX_COMPOUND_LENGTH = 12;

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}';
const cjkPattern = new RegExp(`^[${cjk}]`, 'u');
const wordPattern = new RegExp(`[${cjk}]+|(?:(?![${cjk}])[\\p{Letter}\\p{Mark}\\p{Number}])+`, 'gu');
const casedPattern = /\p{Lu}/u;
/** `parseCSVFiles` → `parse`, `CSV`, `Files`; the plural of an acronym, `URLs`, stays whole. */
const partPattern = /\p{Lu}+s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})[\p{M}\p{N}]*|\p{Lu}?[^\p{Lu}]+|\p{Lu}/gu;
const versionPattern = /^v\d+$/;
const asciiPattern = /^[\x00-\x7f]*$/;

export const isCjk = (word: string): boolean => cjkPattern.test(word);

/** Runs of letters and digits of a text, and of CJK characters, in order and as they are written, but for NFKC. */
export function runsOf(text: string): readonly string[] {
  const normal = asciiPattern.test(text) ? text : text.normalize('NFKC');
  return normal.match(wordPattern) ?? [];
}

/**
 * The words of a text in order, in lower case: NFKC, `camelCase` and `snake_case` taken apart (with `compounds` a short one
 * also as a whole, after its parts), runs of CJK characters as one word each. Versions (`v1`) and overlong words are left
 * out.
 */
export function wordsOf(text: string, compounds = true): string[] {
  const found: string[] = [];
  for (const run of runsOf(text)) addWords(found, run, compounds);
  return found;
}

/** The words of one run. */
export function addWords(found: string[], run: string, compounds: boolean): void {
  if (!casedPattern.test(run) || run.length > MAX_WORD_LENGTH) {
    add(found, run);
    return;
  }
  const parts = run.match(partPattern) ?? [];
  if (parts.length === 1) {
    add(found, run);
    return;
  }
  for (const part of parts) add(found, part);
  if (compounds && run.length <= MAX_COMPOUND_LENGTH) add(found, run);
}

function add(found: string[], word: string): void {
  const lower = word.toLowerCase();
  if (isCjk(lower) || (lower.length <= MAX_WORD_LENGTH && !versionPattern.test(lower))) found.push(lower);
}
