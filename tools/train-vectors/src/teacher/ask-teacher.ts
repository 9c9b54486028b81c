import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPython, runCommand } from '@capability-router/tools-external';

const folder = fileURLToPath(new URL('../../teacher', import.meta.url));

/** `dimensions` numbers for each text, a vector of length 1. */
export interface TeachingOptions {
  readonly dimensions: number;
  readonly seed: number;
}

/**
 * Asks the teacher for the direction of each text. Installs it where it is not installed yet, with PyTorch (6 GB). Rejects where
 * Python is missing or the teacher fails; it says why on standard error.
 */
export async function askTeacher(
  texts: readonly string[],
  { dimensions, seed }: TeachingOptions,
): Promise<Float32Array> {
  const requirements = join(folder, 'requirements.txt');
  const python = await installPython({ name: 'word-vector-teacher', requirements, dependencies: true });
  const scratch = await mkdtemp(join(tmpdir(), 'train-vectors-'));
  try {
    const [asked, answered] = [join(scratch, 'texts'), join(scratch, 'directions')];
    await writeFile(asked, texts.join('\n'));
    await runCommand(python, [join(folder, 'direct_texts.py'), asked, answered, String(dimensions), String(seed)]);
    const bytes = await readFile(answered);
    const directions = Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
    if (directions.length !== texts.length * dimensions) {
      throw new Error(`the teacher answered ${directions.length} numbers for ${texts.length} texts`);
    }
    return directions;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
