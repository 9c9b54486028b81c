/** Characters; shorter words are left alone, so that `bus`, `red` and `ring` stay themselves. */
const minStemLength = 4;

/**
 * Light English stemming: plurals, `-ing`, `-ed`, `-ion`, `-or`/`-er` after `at`, a final `e`. It only has to bring
 * `validate`, `validates`, `validating` and `validation` together; the stem itself is never shown.
 */
export function stem(word: string): string {
  if (word.length < minStemLength || !/^[a-z]+$/.test(word)) return word;
  return withoutFinalE(withoutSuffix(singular(word)));
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function withoutSuffix(word: string): string {
  for (const suffix of ['ing', 'ed'] as const) {
    const stemmed = word.slice(0, -suffix.length);
    if (word.endsWith(suffix) && stemmed.length >= minStemLength - 1 && /[aeiouy]/.test(stemmed)) {
      return stemmed.replace(/([bdfgmnprt])\1$/, '$1');
    }
  }
  if (/[ts]ion$/.test(word) && word.length > 6) return word.slice(0, -3);
  if (/at(?:or|er)$/.test(word) && word.length > 6) return word.slice(0, -2);
  return word;
}

function withoutFinalE(word: string): string {
  return word.endsWith('e') && word.length > minStemLength ? word.slice(0, -1) : word;
}
