import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AccountId } from '@capability-router/kernel';
import {
  InaccessibleObject,
  nameOf,
  type OpenResult,
  type ResultKey,
  type ResultStore,
  type StoredObject,
  type StoredPage,
} from './result-store.js';

/** Objects of one page, by default. */
const PAGE_OBJECTS = 1_000;
/** Attempts of a write whose folder goes away. */
const MAX_ATTEMPTS = 5;
/** Folders that one page looks into, so that many empty ones do not make it long. */
const PAGE_FOLDERS = 1_000;

/** Results as files, a folder for each account; replicas share the directory. A file is renamed into place once it is whole. */
export class DirectoryStore implements ResultStore {
  constructor(
    private readonly directory: string,
    private readonly pageObjects = PAGE_OBJECTS,
  ) {}

  async save(key: ResultKey, content: Buffer): Promise<void> {
    const path = join(this.directory, nameOf(key));
    for (let attempt = 1; ; attempt += 1) {
      const folder = dirname(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = join(folder, `${randomUUID()}.tmp`);
      try {
        await writeFile(temporary, content, { mode: 0o600, flag: 'wx' });
        await rename(temporary, path);
        return;
      } catch (error) {
        await unlink(temporary).catch(() => undefined);
        // Whoever removed the last file of the folder may have removed the folder meanwhile.
        if (!isMissing(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async open(key: ResultKey): Promise<OpenResult | undefined> {
    const path = join(this.directory, nameOf(key));
    try {
      // Opened before it is measured, so that a sweep in between takes nothing away from this reader.
      const file = await open(path, 'r');
      const { size } = await file.stat();
      return {
        sizeBytes: size,
        read: (range) => Promise.resolve(createReadStream(path, { fd: file, autoClose: true, ...range })),
        close: () => file.close(),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    const path = join(this.directory, name);
    await unlink(path).catch((error: unknown) => {
      if (!isMissing(error)) throw isInaccessible(error) ? new InaccessibleObject(name, error) : error;
    });
    // Succeeds where it was the last one.
    if (name.includes('/')) await rmdir(dirname(path)).catch(() => undefined);
  }

  async list(of: { readonly accountId?: AccountId; readonly after?: string | undefined }): Promise<StoredPage> {
    const after = of.after ?? '';
    const folders = of.accountId === undefined ? await namesIn(this.directory) : [of.accountId];
    const objects: StoredObject[] = [];
    const inaccessible: InaccessibleObject[] = [];
    const page = (next?: string): StoredPage => ({
      objects,
      ...(inaccessible.length === 0 ? {} : { inaccessible }),
      ...(next === undefined ? {} : { next }),
    });
    let looked = 0;
    for (const folder of folders) {
      // A folder's own name sorts before those of its files.
      if (folder < (after.split('/', 1)[0] ?? '')) continue;
      if (looked === PAGE_FOLDERS) return page(`${folder}/`);
      looked += 1;
      const names = await this.filesIn(folder).catch((error: unknown) => {
        // Whoever asks for one account has to know that it was not read.
        if (of.accountId !== undefined || !isInaccessible(error)) throw error;
        inaccessible.push(new InaccessibleObject(folder, error));
        return [];
      });
      for (const name of names) {
        if (name <= after) continue;
        if (objects.length === this.pageObjects) return page(objects.at(-1)?.name ?? after);
        const found = await stat(join(this.directory, name)).catch(() => undefined);
        if (found?.isFile() === true) objects.push({ name, sizeBytes: found.size, writtenMs: found.mtimeMs });
      }
    }
    return page();
  }

  close(): void {
    // Nothing is held open between two requests.
  }

  /** Names from the store's root: the files of a folder; of a file at the root, itself. */
  private async filesIn(folder: string): Promise<string[]> {
    if (/\.(json|tmp)$/.test(folder)) return [folder];
    const names = await namesIn(join(this.directory, folder));
    return names.filter((name) => /\.(json|tmp)$/.test(name)).map((name) => `${folder}/${name}`);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Errors that are of one file or folder, not of the disk. */
const inaccessibleCodes: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EISDIR', 'ELOOP']);
const isInaccessible = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && inaccessibleCodes.has(error.code);

function isMissing(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'ENOTDIR';
}
