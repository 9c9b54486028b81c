import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** A spec may look at whatever uses its subject. */
const exempt = /\.spec\.ts$|(^|\/)(test-support|testing)\//;
/** Paths of relative imports and re-exports, of values and of types. */
const importPattern = /^(?:import|export)\b[^;]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

/** It gathers the settings that slices declare, and each slice reads its own from it: what passes through it is no use. */
const configFile = 'config.ts';

/**
 * The folder directly below `src` in which a file stands; a file directly in `src` is a slice of its own, since two slices
 * that both use it and of which it uses one are in a circle as much as if they imported each other. Files that wire (modules,
 * `create-*`, `index.ts`, `main.ts`) are among them: they use every slice, and no slice may use them in turn.
 */
const sliceOf = (path: string): string | undefined => {
  if (path.includes('/')) return path.slice(0, path.indexOf('/'));
  return path === configFile ? undefined : path;
};

/** The slices that each slice imports, and of each a file that does. */
export type SliceImports = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** `sources`: by path below `src`, with `/`. */
export function sliceImports(sources: ReadonlyMap<string, string>): SliceImports {
  const imports = new Map<string, Map<string, string>>();
  for (const [path, content] of sources) {
    const from = sliceOf(path);
    if (from === undefined) continue;
    for (const [, ...specifiers] of content.matchAll(importPattern)) {
      const specifier = specifiers.find((found: string | undefined) => found !== undefined) ?? '';
      const to = sliceOf(normalize(join(dirname(path), specifier)).replace(/\.js$/, '.ts'));
      if (to === undefined || to === from) continue;
      const ofSlice = imports.get(from) ?? new Map<string, string>();
      imports.set(from, ofSlice.set(to, ofSlice.get(to) ?? path));
    }
  }
  return imports;
}

/** The shortest circle of imports through each slice that is in one, each circle once; begins at its first name. */
export function sliceCircles(imports: SliceImports): string[][] {
  const circles = new Map<string, string[]>();
  for (const slice of imports.keys()) {
    const circle = shortestCircle(imports, slice);
    if (circle === undefined) continue;
    const first = circle.indexOf([...circle].sort()[0] ?? slice);
    const rotated = [...circle.slice(first), ...circle.slice(0, first)];
    circles.set(rotated.join(), rotated);
  }
  return [...circles.values()];
}

function shortestCircle(imports: SliceImports, start: string): string[] | undefined {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of imports.get(way.at(-1) ?? start)?.keys() ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return undefined;
}

/** Complaints about slices of a service that import each other, directly or by way of others. */
export async function checkSliceImports(root: string): Promise<string[]> {
  const complaints: string[] = [];
  for (const service of (await readdir(join(root, 'apps'))).sort()) {
    const imports = sliceImports(await sourcesOf(join(root, 'apps', service, 'src')));
    for (const circle of sliceCircles(imports)) {
      const files = circle.map((slice, index) => imports.get(slice)?.get(circle[index + 1] ?? circle[0] ?? slice));
      complaints.push(
        `apps/${service}/src: slices import each other: ${[...circle, circle[0]].join(' → ')} (${files.join(', ')}). ` +
          'Move what both need into the slice that the others use, or into one below them.',
      );
    }
  }
  return complaints;
}

async function sourcesOf(folder: string): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (name.endsWith('.ts') && !exempt.test(name)) sources.set(name, await readFile(join(folder, name), 'utf8'));
  }
  return sources;
}
