// The projects that standalone is made of, their sources, and a fingerprint of both sources and what was built of them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const startedProject = 'apps/standalone';
/** The README's first steps end in `caprouter reconcile`, which must be of the same build. */
const broughtAlong = ['tools/cli'];

/** The projects that a start builds: standalone, and what people use beside it where this copy holds that. */
export const builtProjects = (root) => [
  startedProject,
  ...broughtAlong.filter((project) => existsSync(join(root, project, 'tsconfig.json'))),
];

/**
 * The projects that a start builds and all that they refer to, as folders below `root`.
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
    return filesBelow(sources)
      .filter((name) => name.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(name))
      .sort()
      .map((name) => ({
        project,
        source: join(sources, name),
        output: join(root, project, 'dist', name.replace(/ts$/, 'js')),
      }));
  });
}

/** Names relative to the folder. Every start looks here: `recursive` of Node asks the disk about each name again. */
function filesBelow(folder, prefix = '') {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = prefix + entry.name;
    return entry.isDirectory() ? filesBelow(join(folder, entry.name), `${name}/`) : [name];
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
  const settings = projects.flatMap((project) => [
    join(root, project, 'tsconfig.json'),
    join(root, project, 'package.json'),
  ]);
  const files = [
    join(root, 'tsconfig.base.json'),
    ...settings,
    ...sources.flatMap((file) => [file.source, file.output]),
  ];
  const hash = createHash('sha256');
  for (const file of files) {
    const state = statSync(file, { throwIfNoEntry: false });
    if (state === undefined) return undefined;
    hash.update(`${file.slice(root.length)} ${state.size} ${state.mtimeMs} ${state.ctimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Is everything built, and after the last change of its source? All that can be told where there is no stamp. */
export function isNewerThanSources(sources) {
  return sources.every(
    ({ source, output }) => existsSync(output) && statSync(output).mtimeMs >= statSync(source).mtimeMs,
  );
}
