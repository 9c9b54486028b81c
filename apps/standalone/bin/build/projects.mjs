// The projects that standalone is made of, their sources, and a fingerprint of both sources and what was built of them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const startedProject = 'apps/standalone';
/** The README's first steps end in `caprouter reconcile`, which must be of the same build. */
const broughtAlong = ['tools/cli'];

/** What a start builds: standalone, and what people use beside it where this copy holds that. */
export const builtProjects = (root) => [
  startedProject,
  ...broughtAlong.filter((project) => existsSync(join(root, project, 'tsconfig.json'))),
];

/**
 * What a start builds and all that it refers to, as folders below `root`.
 * @returns {string[]}
 */
export function projectsOf(root) {
  const found = new Set();
  for (const project of builtProjects(root)) addWithReferences(root, project, found);
  return [...found];
}

function addWithReferences(root, project, found) {
  if (found.has(project)) return;
  found.add(project);
  const { references = [] } = JSON.parse(readFileSync(join(root, project, 'tsconfig.json'), 'utf8'));
  for (const { path } of references) {
    const target = resolve(root, project, path);
    addWithReferences(root, relative(root, target.endsWith('.json') ? dirname(target) : target), found);
  }
}

/** Absolute paths of every source that runs, with the file that is built of it. Tests are not built for a start. */
export function sourcesOf(root, projects) {
  return projects.flatMap((project) => {
    const sources = join(root, project, 'src');
    return readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(name))
      .sort()
      .map((name) => ({
        project,
        source: join(sources, name),
        output: join(root, project, 'dist', name.replace(/ts$/, 'js')),
      }));
  });
}

export const buildInfoOf = (root, project) => join(root, project, 'dist', '.tsbuildinfo');
export const stampFile = (root) => join(root, startedProject, 'dist', '.start-stamp');

/**
 * Changes with every change of a source, of the settings it is built with, or of a file that was built. The time of the
 * last change of the inode is part of it, as tools may set back the others.
 * @returns {string | undefined} undefined where something is not built
 */
export function fingerprintOf(root, projects, sources) {
  const hash = createHash('sha256');
  const settings = projects.flatMap((project) => [
    join(root, project, 'tsconfig.json'),
    join(root, project, 'package.json'),
  ]);
  for (const file of [join(root, 'tsconfig.base.json'), ...settings]) hash.update(stateOf(root, file));
  for (const { source, output } of sources) {
    if (!existsSync(output)) return undefined;
    hash.update(stateOf(root, source)).update(stateOf(root, output));
  }
  return hash.digest('hex');
}

function stateOf(root, file) {
  const { size, mtimeMs, ctimeMs } = statSync(file);
  return `${relative(root, file)} ${size} ${mtimeMs} ${ctimeMs}\n`;
}

/** Is everything built, and after the last change of its source? All that can be told where there is no stamp. */
export function isNewerThanSources(sources) {
  return sources.every(
    ({ source, output }) => existsSync(output) && statSync(output).mtimeMs >= statSync(source).mtimeMs,
  );
}
