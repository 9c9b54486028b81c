import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './errors.js';
import { identify, stillRuns, type ProcessIdentity } from './process-identity.js';

const lockFileName = 'standalone.lock';
const takeOverAttempts = 5;

export interface DataFolderLock {
  release(): void;
}

/**
 * Holds `DATA_DIR/standalone.lock` for this process. A lock whose process has ended, by kill -9 too, is taken over.
 * @throws EmbeddedPostgresError when another running process holds the folder.
 */
export function lockDataFolder(dataDir: string): DataFolderLock {
  const path = join(dataDir, lockFileName);
  const own = `${path}.${String(process.pid)}`;
  const content = JSON.stringify(identify(process.pid));
  try {
    for (let attempt = 0; attempt < takeOverAttempts; attempt += 1) {
      writeFileSync(own, content, { mode: 0o600 });
      // A link appears with its content or not at all, so nobody ever reads half a lock.
      if (tryLink(own, path)) return { release: () => releaseIfOwn(path, content) };
      const holder = readHolder(path);
      if (holder !== undefined && stillRuns(holder)) {
        throw new EmbeddedPostgresError(
          `The data folder ${dataDir} is in use by process ${String(holder.pid)}. ` +
            'Stop that process, or give this one a folder of its own: DATA_DIR=./data-2 npm start',
        );
      }
      removeStale(path, own);
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new EmbeddedPostgresError(`The lock ${path} keeps changing hands; start again.`);
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the lock aside before deleting it: should a new holder have slipped in since we looked, it gets it back. */
function removeStale(path: string, own: string): void {
  const aside = `${own}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved !== undefined && stillRuns(moved)) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function readHolder(path: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number')
      return undefined;
    const startedAt = 'startedAt' in value && typeof value.startedAt === 'string' ? value.startedAt : undefined;
    return { pid: value.pid, startedAt };
  } catch {
    return undefined;
  }
}

function releaseIfOwn(path: string, content: string): void {
  try {
    if (readFileSync(path, 'utf8') === content) rmSync(path, { force: true });
  } catch {
    // Already gone: nothing to release.
  }
}
