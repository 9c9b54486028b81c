import { randomUUID } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionId } from '@capability-router/kernel';

export interface ResultStore {
  save(executionId: ExecutionId, content: Buffer): Promise<void>;
  /** Undefined if it was swept. */
  read(executionId: ExecutionId): Promise<{ readonly sizeBytes: number; readonly stream: ReadStream } | undefined>;
  /** Removes what is older than the lifetime, then the oldest above the bound on the total size. */
  sweep(nowMs: number): Promise<{ readonly removed: number; readonly evicted: number }>;
}

export interface FileResultStoreOptions {
  readonly directory: string;
  /** Milliseconds. */
  readonly lifetimeMs: number;
  /** Bytes of all files together; the sweep keeps the directory below. */
  readonly maxTotalBytes: number;
}

/** Full results as files; replicas share the directory. A file is whole or not there: it is renamed into place. */
export class FileResultStore implements ResultStore {
  constructor(private readonly options: FileResultStoreOptions) {}

  async save(executionId: ExecutionId, content: Buffer): Promise<void> {
    await mkdir(this.options.directory, { recursive: true, mode: 0o700 });
    const temporary = join(this.options.directory, `${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
      await rename(temporary, this.pathOf(executionId));
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  async read(executionId: ExecutionId): Promise<{ sizeBytes: number; stream: ReadStream } | undefined> {
    const path = this.pathOf(executionId);
    try {
      // Opened before it is measured, so that a sweep in between takes nothing away from this reader.
      const file = await open(path, 'r');
      const { size } = await file.stat();
      return { sizeBytes: size, stream: createReadStream(path, { fd: file, autoClose: true }) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async sweep(nowMs: number): Promise<{ removed: number; evicted: number }> {
    const kept: { path: string; sizeBytes: number; writtenMs: number }[] = [];
    let removed = 0;
    for (const path of await this.list()) {
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) continue;
      if (nowMs - found.mtimeMs > this.options.lifetimeMs) removed += await remove(path);
      else kept.push({ path, sizeBytes: found.size, writtenMs: found.mtimeMs });
    }
    kept.sort((a, b) => a.writtenMs - b.writtenMs);
    let totalBytes = kept.reduce((sum, file) => sum + file.sizeBytes, 0);
    let evicted = 0;
    for (const file of kept) {
      if (totalBytes <= this.options.maxTotalBytes) break;
      evicted += await remove(file.path);
      totalBytes -= file.sizeBytes;
    }
    return { removed, evicted };
  }

  private async list(): Promise<string[]> {
    try {
      const names = await readdir(this.options.directory);
      return names.filter((name) => /\.(json|tmp)$/.test(name)).map((name) => join(this.options.directory, name));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Execution ids are hex after their prefix, so no id can name a path outside the directory. */
  private pathOf(executionId: ExecutionId): string {
    return join(this.options.directory, `${executionId}.json`);
  }
}

async function remove(path: string): Promise<number> {
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  return 1;
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
