import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The members of an entry of a `package-lock.json`, version 3, that are looked at; entries are handed on whole. */
export interface LockedEntry {
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly optional?: boolean;
  readonly dev?: boolean;
}

export interface LockFile {
  readonly lockfileVersion: number;
  /** By the folder of each package, from the top of the repository on. */
  readonly packages: Readonly<Record<string, LockedEntry>>;
}

export function readLockFile(root: string): LockFile {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  if (lock.lockfileVersion !== 3) throw new Error(`package-lock.json has version ${lock.lockfileVersion}, not 3`);
  return lock;
}

const modules = 'node_modules/';

/** The key of the package that `name` stands for in a module of `folder`, as Node looks for it; a link of a workspace as such. */
export function lookUp({ packages }: LockFile, folder: string, name: string): string | undefined {
  for (let at: string | undefined = folder; at !== undefined; at = parentOf(at)) {
    const key = `${at === '' ? '' : `${at}/`}${modules}${name}`;
    if (packages[key] !== undefined) return key;
  }
  return undefined;
}

/** The next folder outwards whose `node_modules` Node looks into, which is the top after that of a workspace. */
function parentOf(folder: string): string | undefined {
  if (folder === '') return undefined;
  const inner = folder.lastIndexOf(`/${modules}`);
  return inner < 0 ? '' : folder.slice(0, inner);
}
