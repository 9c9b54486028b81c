import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where tools keep what they can make again; no check looks into it. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

export interface PythonEnvironment {
  /** Names its folder below `node_modules/.cache`. */
  readonly name: string;
  /** A requirements file of pip in which every package is pinned. */
  readonly requirements: string;
  /** With what the packages ask for themselves; without it the file names everything that is installed. */
  readonly dependencies: boolean;
}

/**
 * The Python of a virtual environment with these packages, which is made where it is not there yet or was made from other
 * requirements: from PyPI alone. Rejects where Python is missing or pip fails; pip says why on standard error.
 */
export async function installPython({ name, requirements, dependencies }: PythonEnvironment): Promise<string> {
  const environment = join(cache, name);
  const python = join(environment, 'bin/python');
  const stamp = join(environment, 'installed-from');
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python;
  console.error(`installing ${requirements} into ${environment}, for this command alone`);
  await rm(environment, { recursive: true, force: true });
  await runCommand('python3', ['-m', 'venv', environment]);
  const options = ['--quiet', '--disable-pip-version-check', ...(dependencies ? [] : ['--no-deps'])];
  await runCommand(python, ['-m', 'pip', 'install', ...options, '--requirement', requirements]);
  await writeFile(stamp, wanted);
  return python;
}

/** Resolves when the command ended well; its output goes where that of this process goes. */
export function runCommand(command: string, args: readonly string[], folder?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...(folder === undefined ? {} : { cwd: folder }) });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ended with exit code ${code}`));
    });
  });
}
