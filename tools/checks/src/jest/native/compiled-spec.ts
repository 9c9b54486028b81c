import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** `…/apps/billing/src/holds/a.spec.ts` is `…/apps/billing/dist/holds/a.spec.js`. */
export function compiledSpec(source: string): string {
  const folders = source.split(sep);
  const src = folders.lastIndexOf('src');
  if (src < 0 || !source.endsWith('.ts')) throw new Error(`${source} is no TypeScript file below a src folder`);
  folders[src] = 'dist';
  return folders.join(sep).replace(/\.ts$/, '.js');
}

/**
 * The sources of a package that changed after it was built last, as paths from `root`: a test of what was built before
 * them would pass or fail for another reason than the reader sees.
 */
export function changedSinceBuild(root: string, packageFolder: string): readonly string[] {
  const built = changedAt(join(packageFolder, 'dist', '.tsbuildinfo')) ?? 0;
  return readdirSync(join(packageFolder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => (changedAt(file) ?? 0) > built)
    .map((file) => relative(root, file));
}

/** Every folder below `root` that has a `tsconfig.json` beside its `src`. */
export function packagesOf(root: string): readonly string[] {
  return ['apps', 'libs', 'tools', 'tests']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true }).map((entry) => join(root, folder, entry.name)),
    )
    .filter(
      (folder) =>
        changedAt(join(folder, 'tsconfig.json')) !== undefined && changedAt(join(folder, 'src')) !== undefined,
    );
}

/** Milliseconds of the file's last change, undefined where there is none. */
const changedAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
