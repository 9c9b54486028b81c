import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './errors.js';
import type { Launcher } from './launcher.js';

export const administratorRole = 'capability_router_admin';
const initdbTimeoutMs = 60_000;
/** The newest lines of initdb's output that an error quotes. */
const quotedCharacters = 2_000;

export function clusterFolder(folder: string): string {
  return join(folder, 'data');
}

export function clusterExists(folder: string): boolean {
  return existsSync(join(clusterFolder(folder), 'PG_VERSION'));
}

export interface InitialiseOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called when the process that creates the cluster runs. */
  readonly onSpawn?: (() => void) | undefined;
}

/** Creates the cluster unless it is there. A creation that was cut off leaves nothing that looks like a cluster. */
export async function initialiseCluster(
  folder: string,
  binaries: PostgresBinaries,
  launcher: Launcher,
  administratorPassword: string,
  options: InitialiseOptions = {},
): Promise<void> {
  if (clusterExists(folder)) return;
  const unfinished = join(folder, 'data.unfinished');
  const passwordFile = join(folder, 'initial-password');
  rmSync(unfinished, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  mkdirSync(unfinished, { mode: 0o700 });
  writeFileSync(passwordFile, administratorPassword, { mode: 0o600 });
  if (launcher.user !== undefined) {
    chownSync(unfinished, launcher.user.uid, launcher.user.gid);
    chownSync(passwordFile, launcher.user.uid, launcher.user.gid);
  }
  const args = [
    `--pgdata=${unfinished}`,
    `--username=${administratorRole}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
  ];
  try {
    await runInitdb(launcher, binaries.initdb, args, options);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(unfinished, clusterFolder(folder));
}

function runInitdb(
  launcher: Launcher,
  initdb: string,
  initdbArgs: readonly string[],
  { signal, onSpawn }: InitialiseOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const { file, args, options } = launcher.command(initdb, initdbArgs);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...options,
      cwd: '/',
      // Its own process group: Ctrl-C in a terminal reaches node alone, which then ends it and waits for it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: initdbTimeoutMs,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
    onSpawn?.();
    let output = '';
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-quotedCharacters);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const end = (): void => void child.kill('SIGTERM');
    signal?.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    child.once('close', (code, endedBy) => {
      signal?.removeEventListener('abort', end);
      if (signal?.aborted === true) reject(new EmbeddedPostgresError('The creation of the database was stopped.'));
      else if (code === 0) resolve();
      else reject(new EmbeddedPostgresError(explain(output, code, endedBy)));
    });
  });
}

function explain(output: string, code: number | null, signal: string | null): string {
  const hint = output.includes('could not look up effective user ID')
    ? 'PostgreSQL needs the user that runs it to have a name: add a line for this user id to /etc/passwd.'
    : output.includes('shared memory') || output.includes('No space left')
      ? 'Check free space in DATA_DIR and /dev/shm.'
      : '';
  return `The database could not be created (initdb ended with ${String(code ?? signal)}). ${hint}\n${output.trim()}`;
}
