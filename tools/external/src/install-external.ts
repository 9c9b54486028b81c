import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { externalPackages, installedFolder, type ExternalPackage } from './external-packages.js';

/** Mirrors stall now and then. */
const ATTEMPTS = 3;
const ATTEMPT_TIMEOUT_MS = 400_000;
const PAUSE_MS = 5_000;
/** `npm ci` empties `node_modules` first, so this file is there only after an installation that came to its end. */
const stampFile = 'node_modules/.installed-from';

/** Runs `npm ci` in a folder; resolves to its exit code. */
export type CleanInstall = (folder: string) => Promise<number>;

export interface InstallOptions {
  readonly folder?: string;
  readonly cleanInstall?: CleanInstall;
  readonly log?: (line: string) => void;
  readonly pauseMs?: number;
}

/**
 * Installs an external package from its own lock file where it is not installed yet, and says so on standard error.
 * Resolves to the folder whose `node_modules` holds it; rejects when three attempts failed.
 */
export async function installExternal(name: ExternalPackage, options: InstallOptions = {}): Promise<string> {
  const { folder = installedFolder(name), cleanInstall = npmCi, pauseMs = PAUSE_MS } = options;
  const log = options.log ?? ((line: string) => console.error(line));
  const wanted = digestOf(join(folder, 'package-lock.json'));
  const stamp = join(folder, stampFile);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  log(`installing ${name} (${externalPackages[name].megabytes} MB on disk) into ${folder}, for this command alone`);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const exitCode = await cleanInstall(folder);
    if (exitCode === 0) {
      writeFileSync(stamp, wanted);
      return folder;
    }
    log(`attempt ${attempt} of ${ATTEMPTS} to install ${name} failed with exit code ${exitCode}`);
    if (attempt < ATTEMPTS) await sleep(pauseMs);
  }
  throw new Error(`${name} could not be installed: run "npm ci --prefix ${folder}" and see what it says`);
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Standard output belongs to the command that needs the package, so npm writes to standard error. */
function npmCi(folder: string): Promise<number> {
  // The settings of the top folder's .npmrc do not reach other folders.
  const settings = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['ci', '--prefix', folder, ...settings], {
      cwd: folder,
      stdio: ['ignore', process.stderr, 'inherit'],
      timeout: ATTEMPT_TIMEOUT_MS,
      // npm is a batch file there.
      shell: process.platform === 'win32',
    });
    child.once('error', reject);
    child.once('close', (code) => {
      resolve(code ?? 1);
    });
  });
}
