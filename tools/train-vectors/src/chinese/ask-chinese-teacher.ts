import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPython, runCommand } from '@capability-router/tools-external';

const folder = fileURLToPath(new URL('../../teacher', import.meta.url));

/** An English text and where the English word vectors say that it points, a vector of length 1. */
export interface EnglishLesson {
  readonly text: string;
  readonly direction: Float32Array;
}

export interface ChineseWords {
  readonly words: readonly string[];
  /** For each word a vector of length 1, in the space of the English directions. */
  readonly vectors: Float32Array;
}

/**
 * Asks an encoder of both languages where the `count` most common Chinese words point. Installs it where it is not installed yet (200 MB).
 * Rejects where Python is missing or the encoder fails; it says why on standard error.
 */
export async function askChineseTeacher(lessons: readonly EnglishLesson[], count: number): Promise<ChineseWords> {
  const dimensions = lessons[0]?.direction.length ?? 0;
  const requirements = join(folder, 'requirements-chinese.txt');
  const python = await installPython({ name: 'chinese-word-teacher', requirements, dependencies: false });
  const scratch = await mkdtemp(join(tmpdir(), 'train-chinese-'));
  try {
    const [texts, directions, words, vectors] = ['texts', 'directions', 'words', 'vectors'].map((name) =>
      join(scratch, name),
    ) as [string, string, string, string];
    await writeFile(texts, lessons.map(({ text }) => text).join('\n'));
    await writeFile(directions, littleEndian(lessons.flatMap(({ direction }) => [...direction])));
    const program = join(folder, 'direct_chinese.py');
    await runCommand(python, [program, texts, directions, String(dimensions), String(count), words, vectors]);
    const found = (await readFile(words, 'utf8')).split('\n');
    const bytes = await readFile(vectors);
    const numbers = Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
    if (numbers.length !== found.length * dimensions) {
      throw new Error(`the teacher answered ${numbers.length} numbers for ${found.length} words`);
    }
    return { words: found, vectors: numbers };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function littleEndian(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeFloatLE(value, 4 * at));
  return bytes;
}
