import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../teacher', import.meta.url));
/** Where tools keep what they can make again; no check looks into it. */
const environment = fileURLToPath(new URL('../../../../node_modules/.cache/word-vector-teacher', import.meta.url));
const python = join(environment, 'bin/python');

/** `dimensions` numbers for each text, a vector of length 1. */
export interface TeachingOptions {
  readonly dimensions: number;
  readonly seed: number;
}

/**
 * Asks the teacher for the direction of each text. Installs it where it is not installed yet: a virtual environment of
 * Python in `node_modules/.cache`, from PyPI alone. Rejects where Python is missing or the teacher fails; it says why on standard error.
 */
export async function askTeacher(
  texts: readonly string[],
  { dimensions, seed }: TeachingOptions,
): Promise<Float32Array> {
  await install();
  const scratch = await mkdtemp(join(tmpdir(), 'train-vectors-'));
  try {
    const [asked, answered] = [join(scratch, 'texts'), join(scratch, 'directions')];
    await writeFile(asked, texts.join('\n'));
    await run(python, [join(folder, 'direct_texts.py'), asked, answered, String(dimensions), String(seed)]);
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

async function install(): Promise<void> {
  const stamp = join(environment, 'installed');
  if (existsSync(stamp)) return;
  await run('python3', ['-m', 'venv', environment]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', join(folder, 'requirements.txt')]);
  await writeFile(stamp, '');
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with exit code ${code}`));
    });
  });
}
