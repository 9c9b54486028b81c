import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';

/** An entry of a `package-lock.json` that npm installs. */
export interface LockedPackage {
  /** Where npm puts it, from the folder of the lock file on. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** The range of Node versions that the package asks for. */
  readonly node: string | undefined;
  /** The authors' notice to those who install it. */
  readonly deprecated: string | undefined;
}

interface LockFile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly link?: boolean;
        readonly engines?: { readonly node?: string };
        readonly deprecated?: string;
      }
    >
  >;
}

const modulesFolder = 'node_modules/';

/** The packages that the lock file in `folder` brings, without the workspaces themselves. Throws where there is no lock file. */
export function lockedPackages(folder: string): LockedPackage[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as LockFile;
  return Object.entries(packages).flatMap(([path, { version = '', link, engines, deprecated }]) => {
    const at = path.lastIndexOf(modulesFolder);
    if (at < 0 || link === true) return [];
    return [{ path, name: path.slice(at + modulesFolder.length), version, node: engines?.node, deprecated }];
  });
}

/** Is there a Node version in the range `supported` for which npm would warn of this package? */
export function refusesNode({ node }: LockedPackage, supported: string): boolean {
  return node !== undefined && !semver.subset(supported, node);
}
