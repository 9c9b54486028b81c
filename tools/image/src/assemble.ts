import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { billOfMaterials } from './bill-of-materials.js';
import { closureOf, dependenciesOf, isWorkspace } from './closure.js';
import { copyPackage, copyWorkspace } from './files.js';
import { readLockFile, type LockedEntry, type LockFile } from './lock-file.js';
import { imageTarget, type ImageTarget } from './targets.js';
import { thirdPartyLicences } from './third-party.js';
import { workspaceRoot } from './workspace.js';

/** Files of the top that every image holds. */
const topFiles = ['LICENSE', 'NOTICE', 'docker/entrypoint.mjs'];

/**
 * Makes the folder `/app` of an image out of what was installed and built here: `docker/Dockerfile` copies it, and tests run
 * from it. The folder must not be there or be empty.
 */
export async function assemble(name: string, folder: string): Promise<void> {
  const target = imageTarget(name);
  if (existsSync(folder) && (await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  await mkdir(folder, { recursive: true });
  const lock = readLockFile(workspaceRoot);
  const keys = closureOf(lock, target).filter((key) => isInstalled(lock, key));
  for (const key of keys) await copyKey(lock, key, target, folder);
  await mkdir(join(folder, 'docker'));
  for (const file of topFiles) await copyFile(join(workspaceRoot, file), join(folder, file));
  await describe(lock, keys, target, folder);
  if (target.dictionary === true) await readDictionary(folder);
  // The user of the image reads everything and writes nothing.
  await chmod(folder, 0o755);
}

/** Optional packages of other platforms are in the lock file alone. */
function isInstalled(lock: LockFile, key: string): boolean {
  if (existsSync(join(workspaceRoot, key))) return true;
  if (lock.packages[key]?.optional === true) return false;
  throw new Error(`${key} is not installed: npm ci`);
}

async function copyKey(lock: LockFile, key: string, target: ImageTarget, folder: string): Promise<void> {
  const entry = lock.packages[key] ?? {};
  const to = join(folder, key);
  if (entry.link === true) {
    await mkdir(dirname(to), { recursive: true });
    await symlink(relative(dirname(to), join(folder, entry.resolved ?? '')), to);
  } else if (isWorkspace(key)) {
    await copyWorkspace(join(workspaceRoot, key), to);
    await writeJson(join(to, 'package.json'), await manifestOf(key, target));
  } else {
    await copyPackage(join(workspaceRoot, key), to);
  }
}

/** The manifest of a workspace without what the image leaves out. */
async function manifestOf(key: string, target: ImageTarget): Promise<object> {
  const manifest = JSON.parse(await readFile(join(workspaceRoot, key, 'package.json'), 'utf8')) as LockedEntry;
  const { devDependencies: _left, optionalDependencies, ...rest } = manifest;
  return {
    ...rest,
    dependencies: dependenciesOf(key, manifest, target),
    ...(target.optional === true && optionalDependencies !== undefined ? { optionalDependencies } : {}),
  };
}

/** `package.json`, the lock file of what is in the image, and what follows from it: the bill of materials and the licences. */
async function describe(lock: LockFile, keys: readonly string[], target: ImageTarget, folder: string): Promise<void> {
  const { name, version, license, engines, overrides } = JSON.parse(
    await readFile(join(workspaceRoot, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, unknown>>;
  const entries = await Promise.all(keys.map(async (key) => [key, await entryOf(lock, key, target)] as const));
  const dependencies = Object.fromEntries(
    entries.flatMap(([key, { link }]) =>
      link === true ? [[key.replace('node_modules/', ''), String(version)] as const] : [],
    ),
  );
  const manifest = { name: `${String(name)}-${target.name}`, version, private: true, license, type: 'module', engines };
  const workspaces = keys.filter(isWorkspace);
  await writeJson(join(folder, 'package.json'), { ...manifest, workspaces, dependencies, overrides });
  await writeJson(join(folder, 'package-lock.json'), {
    name: manifest.name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: {
      '': { name: manifest.name, version, license, workspaces, dependencies },
      ...Object.fromEntries(entries),
    },
  });
  await writeFile(join(folder, 'sbom.cdx.json'), await billOfMaterials(folder, manifest.name));
  const others = keys.filter((key) => !isWorkspace(key) && lock.packages[key]?.link !== true);
  await writeFile(join(folder, 'THIRD-PARTY-LICENCES'), await thirdPartyLicences(others));
}

async function entryOf(lock: LockFile, key: string, target: ImageTarget): Promise<LockedEntry> {
  // Whether only development needs it at the top says nothing about here.
  const { dev: _dev, ...entry } = lock.packages[key] ?? {};
  return isWorkspace(key) ? { ...(await manifestOf(key, target)) } : entry;
}

/** In a process that runs from the folder, so that it keeps what it read there. */
async function readDictionary(folder: string): Promise<void> {
  const read = "import('./libs/tool-search/dist/index.js').then((search) => search.loadChineseGlossesApart())";
  await promisify(execFile)(process.execPath, ['-e', read], { cwd: folder });
  const kept = join(folder, 'node_modules/.cache/capability-router');
  if ((await readdir(kept)).length === 0) throw new Error('The dictionary was not kept');
}

/** For a folder that is made anew. */
export async function assembleAnew(name: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await assemble(name, folder);
}

const writeJson = (file: string, value: unknown): Promise<void> =>
  writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
