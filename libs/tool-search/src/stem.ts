import porter2 from 'wink-porter2-stemmer';

const asciiWord = /^[a-z]+$/;

/** The Porter2 stem of a lower-case English word; any other word as it is. Stems are matched, never shown. */
export function stem(word: string): string {
  return asciiWord.test(word) ? porter2(word) : word;
}
