import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { externalPackages, externalPackagesFolder } from '@capability-router/tools-external';
import semver from 'semver';
import { lockedPackages, refusesNode, type LockedPackage } from './locked-packages.js';
import { workspaceRoot } from './workspace.js';

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly engines?: { readonly node?: string };
    readonly dependencies?: Readonly<Record<string, string>>;
  };
const supportedNode = manifestOf(workspaceRoot).engines?.node ?? '';
const externalNames = Object.keys(externalPackages);
const folders = [workspaceRoot, ...externalNames.map((name) => join(externalPackagesFolder, name))];
const describeAll = (packages: readonly LockedPackage[]) =>
  packages.map(({ path, version, node, deprecated }) => [path, version, node, deprecated].join(' '));

describe('the Node versions that the repository names', () => {
  it.each(['20.19.0', '22.13.0', '24.11.0', '26.0.0'])('include %s', (version) => {
    expect(semver.satisfies(version, supportedNode)).toBe(true);
  });
});

describe.each(folders)('the lock file in %s', (folder) => {
  const packages = lockedPackages(folder);

  it('brings no package that refuses a Node version that the repository names', () => {
    expect(packages.length).toBeGreaterThan(0);
    expect(describeAll(packages.filter((one) => refusesNode(one, supportedNode)))).toEqual([]);
  });

  it('brings no deprecated package', () => {
    expect(describeAll(packages.filter(({ deprecated }) => deprecated !== undefined))).toEqual([]);
  });
});

describe('what npm ci at the top installs', () => {
  it('holds no package that a command installs on demand', () => {
    const namesIn = (name: string): string[] =>
      Object.keys(manifestOf(join(externalPackagesFolder, name)).dependencies ?? {});
    expect(externalNames.filter((name) => namesIn(name).length === 0)).toEqual([]);
    const wanted = externalNames.flatMap(namesIn);
    const found = lockedPackages(workspaceRoot).filter(({ name }) => wanted.includes(name));
    expect(describeAll(found)).toEqual([]);
  });

  it('leaves out every folder of external packages, each of which is listed', () => {
    expect(readdirSync(externalPackagesFolder).sort()).toEqual([...externalNames].sort());
  });
});

describe('a locked package', () => {
  const named = (node?: string): LockedPackage => ({
    path: 'node_modules/a',
    name: 'a',
    version: '1.0.0',
    node,
    deprecated: undefined,
  });

  it('refuses a Node version that its engines leave out', () => {
    expect(refusesNode(named('>=22'), '^20.19.0 || ^22.13.0')).toBe(true);
    expect(refusesNode(named('^20.0.0 || >=22.14.0'), '^20.19.0 || ^22.13.0')).toBe(true);
    expect(refusesNode(named('>=18'), '^20.19.0 || ^22.13.0')).toBe(false);
    expect(refusesNode(named(), '^20.19.0')).toBe(false);
  });
});
