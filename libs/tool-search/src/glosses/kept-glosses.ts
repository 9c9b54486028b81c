import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { MAX_GLOSS_WORDS, type PackedGlosses } from './chinese-glosses.js';
import type { DictionaryFile } from './dictionary-file.js';

/** The programs that decide how a dictionary is read: when one of them changes, what was kept is of no use. */
const programs = ['load-glosses.js', 'chinese-glosses.js', '../text/stop-words.js', '../text/words.js'].map(
  (file) => new URL(`../../dist/glosses/${file}`, import.meta.url),
);
const PREFIX = 'chinese-glosses-';

/**
 * The dictionary as the same programs have read it before, undefined where it was not kept or is damaged. Reading the
 * dictionary takes more than a second of the processor, and each start of a search index needs it.
 */
export function keptGlosses(dictionary: DictionaryFile): PackedGlosses | undefined {
  try {
    const packed = deserialize(readFileSync(join(folderOf(dictionary), nameOf(dictionary)))) as PackedGlosses;
    return isWhole(packed) ? packed : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Keeps them for the next start, beside what other tools keep below `node_modules`. Where it cannot write, nothing is
 * kept.
 */
export function keepGlosses(dictionary: DictionaryFile, packed: PackedGlosses): void {
  const folder = folderOf(dictionary);
  const name = nameOf(dictionary);
  const unfinished = `${PREFIX}${randomUUID()}.unfinished`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, unfinished), serialize(packed));
    renameSync(join(folder, unfinished), join(folder, name));
    // The files of other versions go, and what a start left that did not come to its end.
    for (const other of readdirSync(folder)) {
      if (other.startsWith(PREFIX) && other !== name) rmSync(join(folder, other), { force: true });
    }
  } catch {
    // A folder of somebody else's, or a full disk: the next start reads the dictionary itself.
  }
}

const folderOf = ({ packages }: DictionaryFile): string => join(packages, '.cache', 'capability-router');

function nameOf({ version, bytes }: DictionaryFile): string {
  const hash = createHash('sha256').update(`${version} ${bytes} ${process.versions.v8}`);
  for (const program of programs) hash.update(readFileSync(program));
  return `${PREFIX}${hash.digest('hex').slice(0, 32)}.bin`;
}

function isWhole({ headwords, starts, wordNumbers, words }: PackedGlosses): boolean {
  const count = starts.length - 1;
  return (
    count > 0 &&
    starts[count] === headwords.length &&
    wordNumbers.length === count * MAX_GLOSS_WORDS &&
    words.length > 0
  );
}
