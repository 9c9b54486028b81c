import { lookUp, type LockedEntry, type LockFile } from './lock-file.js';
import type { ImageTarget } from './targets.js';

/** Its index loads manifests alone; the packages that it depends on are loaded by operations, in runner processes. */
const operations = 'libs/builtin-tools';
const ownPackage = '@capability-router/';

/**
 * Keys of the lock file that an image holds: the workspaces, what their production dependencies lead to, and the links by which
 * modules find workspaces. In order. Throws where the lock file lacks what is depended on.
 */
export function closureOf(lock: LockFile, target: ImageTarget): readonly string[] {
  const found = new Set<string>();
  // By their links, as whoever depends on them has them.
  const waiting = target.workspaces.map((folder) => `node_modules/${lock.packages[folder]?.name ?? folder}`);
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    const entry = lock.packages[key];
    if (entry === undefined) throw new Error(`package-lock.json has no ${key}`);
    if (entry.link === true) waiting.push(entry.resolved ?? '');
    else waiting.push(...neededBy(lock, key, target));
  }
  return [...found].toSorted();
}

function neededBy(lock: LockFile, key: string, target: ImageTarget): readonly string[] {
  const entry = lock.packages[key] ?? {};
  const own = isWorkspace(key);
  const required = Object.keys(dependenciesOf(key, entry, target));
  const optional = own && target.optional !== true ? [] : Object.keys(entry.optionalDependencies ?? {});
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
  );
  return [...new Set([...required, ...optional, ...peers])].flatMap((name) => {
    const there = lookUp(lock, key, name);
    if (there === undefined && entry.optionalDependencies?.[name] === undefined && required.includes(name)) {
      throw new Error(`package-lock.json: ${key} depends on ${name}, which is not there`);
    }
    return there === undefined ? [] : [there];
  });
}

/** The dependencies of a package in that image, without those that nothing there loads. */
export function dependenciesOf(key: string, entry: LockedEntry, target: ImageTarget): Readonly<Record<string, string>> {
  const all = Object.entries(entry.dependencies ?? {});
  const loaded =
    key === operations && target.runsTools !== true ? all.filter(([name]) => name.startsWith(ownPackage)) : all;
  return Object.fromEntries(loaded.filter(([name]) => entry.optionalDependencies?.[name] === undefined));
}

export const isWorkspace = (key: string): boolean => !key.includes('node_modules/');
