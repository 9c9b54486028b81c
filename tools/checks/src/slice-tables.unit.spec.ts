import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sliceImports } from './slice-imports.js';
import { workspaceRoot } from './workspace.js';

/** Folders that no table of slices has: they are no use case. */
const noSlices = new Set(['migrations', 'test-support', 'testing']);

/** The rows of the table in a service's README: the slices that each names. */
async function tableOf(service: string): Promise<{ rows: string[][]; ordered: boolean }> {
  const text = await readFile(join(workspaceRoot, 'apps', service, 'README.md'), 'utf8');
  const [, section = ''] = /^## Slices\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
  const rows = section
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/$/, '')),
    );
  return { rows, ordered: section.includes('uses those above it in this table alone') };
}

async function sourcesOf(service: string): Promise<Map<string, string>> {
  const folder = join(workspaceRoot, 'apps', service, 'src');
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/\.spec\.ts$|(^|\/)(test-support|testing)\//.test(name),
  );
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
}

describe('the table of slices in the README of a service', () => {
  it.each(['billing', 'capability-routing', 'gateway', 'identity', 'registry'])(
    'names every slice of %s, and none that is not there',
    async (service) => {
      const { rows } = await tableOf(service);
      const named = new Set(rows.flat().map((name) => name.split('/')[0]));
      const there = new Set(
        [...(await sourcesOf(service)).keys()]
          .filter((name) => name.includes('/'))
          .map((name) => name.split('/')[0] ?? ''),
      );
      expect([...named].sort()).toEqual([...there].filter((name) => !noSlices.has(name)).sort());
    },
  );

  it.each(['capability-routing', 'gateway', 'identity', 'registry'])(
    'has each slice of %s below those that it uses',
    async (service) => {
      const { rows, ordered } = await tableOf(service);
      expect(ordered).toBe(true);
      const rowOf = new Map(rows.flatMap((row, index) => row.map((name) => [name, index] as const)));
      const wrong = [...sliceImports(await sourcesOf(service))].flatMap(([slice, uses]) =>
        [...uses.keys()]
          .filter((used) => (rowOf.get(used) ?? -1) > (rowOf.get(slice) ?? Infinity))
          .map((used) => `${slice} uses ${used}`),
      );
      expect(wrong).toEqual([]);
    },
  );
});
