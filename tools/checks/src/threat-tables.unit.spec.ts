import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace.js';

const folders = ['apps', 'libs', 'tests', 'tools'];
const skipped = /(?:^|\/)(?:node_modules|dist)(?:\/|$)/;

async function specs(): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(workspaceRoot, folder, '.'), { withFileTypes: true });
      const sources = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}/src`);
      const below = sources.map(async (source) =>
        (await readdir(join(workspaceRoot, source), { recursive: true }).catch(() => [])).map(
          (file) => `${source}/${file}`,
        ),
      );
      return (await Promise.all(below)).flat();
    }),
  );
  return found.flat().filter((path) => !skipped.test(path) && /\.spec\.ts$|\.conformance\.ts$/.test(path));
}

interface Threat {
  readonly text: string;
  readonly cells: readonly string[];
}

/** The rows of all tables whose first column is a threat. */
function threatsOf(markdown: string): Threat[] {
  const tables = markdown.matchAll(/^\| *Threat\b.*\n\|[-| ]+\|\n((?:\|.*\n)+)/gm);
  return [...tables].flatMap(([, rows = '']) =>
    rows
      .trim()
      .split('\n')
      .map((row) => {
        const cells = row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim());
        return { text: cells[0] ?? '', cells };
      }),
  );
}

/** The threats that the table must speak of, whatever else it has. */
const demanded = [
  /trials are farmed/,
  /code is guessed/,
  /bonuses are farmed/,
  /who has an account/,
  /mailbox is flooded/,
  /link to a code of their own program/,
  /refresh token that was copied/,
  /exchange that widens/,
  /key that leaked/,
  /another issuer, audience or kind/,
  /has somebody's browser approve/,
  /lines that nobody wrote/,
];

describe('the threats that docs/security.md names', () => {
  let threats: Threat[];
  let paths: string[];
  beforeAll(async () => {
    threats = threatsOf(await readFile(join(workspaceRoot, 'docs/security.md'), 'utf8'));
    paths = await specs();
  });

  /** A path below `apps`, or what a spec is called without its ending. */
  const isSpec = (name: string): boolean =>
    paths.some(
      (path) =>
        path === `apps/${name}` ||
        path === name ||
        new RegExp(`^${escape(name)}(?:\\.\\w+)?\\.spec\\.ts$`).test(basename(path)),
    );

  it('have a defence each, and a spec that is there', () => {
    const faults = threats.flatMap(({ text, cells: [, defence = '', tested = ''] }) => {
      const names = [...tested.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      const strays = names.filter((name) => !isSpec(name) && !/^[a-z-]+$/.test(name));
      const isTested = names.some(isSpec);
      return defence === '' || !isTested || strays.length > 0 ? [`${text}: ${strays.join() || tested}`] : [];
    });
    expect(faults).toEqual([]);
    expect(threats.length).toBeGreaterThan(40);
  });

  it('are at least these', () => {
    expect(demanded.filter((threat) => !threats.some(({ text }) => threat.test(text)))).toEqual([]);
  });
});

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
