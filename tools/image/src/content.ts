import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, relative } from 'node:path';

export interface Content {
  readonly files: number;
  readonly bytes: number;
  /** Packages of the registry. */
  readonly packages: number;
}

export async function contentOf(folder: string): Promise<Content> {
  const paths = await filesBelow(folder);
  const sizes = await Promise.all(paths.map(async (path) => (await lstat(path)).size));
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>;
  };
  const others = Object.entries(packages).filter(([key, { link }]) => key.includes('node_modules/') && link !== true);
  return { files: paths.length, bytes: sizes.reduce((sum, size) => sum + size, 0), packages: others.length };
}

/** The files of the folder by their paths: mode and digest, or where a link leads. */
export async function fingerprintsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const paths = (await filesBelow(folder)).toSorted();
  const entries: [string, string][] = [];
  for (const path of paths) entries.push([relative(folder, path), await fingerprintOf(path)]);
  return Object.fromEntries(entries);
}

async function fingerprintOf(path: string): Promise<string> {
  const found = await lstat(path);
  if (found.isSymbolicLink()) return `-> ${await readlink(path)}`;
  const digest = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return `${(found.mode & 0o777).toString(8)} ${digest}`;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
}
