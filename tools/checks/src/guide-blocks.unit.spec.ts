import { readdir, readFile } from 'node:fs/promises';
import { normalize } from 'node:path/posix';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url);

/** Blocks that no test runs, by document, and why. A number here only falls: who adds a block runs it, or says why not. */
const notRun: Readonly<Record<string, readonly [blocks: number, reason: string]>> = {
  'docs/guides/long-histories.md': [
    1,
    'specs of the rebuild run both commands, and two rebuilds at a time are refused',
  ],
};

/**
 * Blocks of guides that are run, which a comment before them takes out of the run: by document, their reasons. A block
 * stands here when it cannot be run on the machine of a test.
 */
const takenOut: Readonly<Record<string, readonly string[]>> = {
  'README.md': [
    '`npm run first-run` does it, in a fresh clone',
    '`npm run test:stack` starts the same servers and services',
  ],
  'docs/guides/add-tools.md': ['it starts another router; those of the tests are started with this setting'],
  'docs/guides/clients.md': [
    'it installs packages of others from npm',
    'it installs packages of others from PyPI',
    'a host of agents is no part of the project',
  ],
  'docs/guides/finance.md': [
    'the tests run in a checkout that is installed and built',
    '`npm run test:long` runs it, with a worker of Kafka Connect',
    '`npm run test:long` runs it, with a worker of Kafka Connect',
  ],
  'docs/guides/command-line.md': [
    'npm looks for the repository, and the tests run what it would start',
    'it needs Docker',
    'the test of the package runs it, where there is no repository',
  ],
  'docs/guides/mcp.md': ['it starts another router; those of the tests are started with this setting'],
  'docs/guides/providers.md': [
    'it installs for the whole machine, and sets what a router is started with',
    'the package is on the machine of a test already, and nothing is fetched there',
  ],
};

const SHELL = /^(sh|bash|shell|console)$/;
const COMMAND = /^(\$ |(npm|npx|docker|curl|caprouter|node|source) )/m;
const PROMPT = /^\$ /m;

interface Block {
  /** The comment before it that says why it is not run. */
  readonly reason: string | undefined;
  readonly language: string;
  readonly text: string;
}

/** Shell blocks of a document: those that say so, and those without a language that begin with a command. */
const shellBlocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/(?:^<!-- not run: ([^\n]*) -->\n+)?^```(\w*)\n(.*?)^```$/gms)]
    .map(([, reason, language = '', text = '']) => ({ reason, language, text }))
    .filter(({ language, text }) => SHELL.test(language) || (language === '' && COMMAND.test(text)));

describe('the shell blocks of README and guides', () => {
  it('are run by a test, or listed with the reason why not', async () => {
    const guides = (await readdir(new URL('docs/guides/', root))).map((name) => `docs/guides/${name}`);
    const specs = new URL('tests/acceptance/src/', root);
    const names = (await readdir(specs)).filter((name) => /^guides.*\.acc\.spec\.ts$/.test(name));
    const text = (await Promise.all(names.map((name) => readFile(new URL(name, specs), 'utf8')))).join('\n');
    const run = new Set(
      [...text.matchAll(/'((?:\.\.\/)*[\w-]+\.md)'/g)].map(([, name = '']) => normalize(`docs/guides/${name}`)),
    );
    const found: Record<string, number> = {};
    const reasons: Record<string, (string | undefined)[]> = {};
    for (const name of ['README.md', ...guides]) {
      const blocks = shellBlocksOf(await readFile(new URL(name, root), 'utf8'));
      if (blocks.length === 0) continue;
      if (!run.has(name)) found[name] = blocks.length;
      else if (blocks.some(({ reason }) => reason)) reasons[name] = blocks.flatMap(({ reason }) => reason ?? []);
      // The runner takes blocks of "sh", and commands behind a prompt: it would pass over any other.
      const passedOver = blocks.filter((block) => block.reason === undefined && !isTaken(block));
      if (run.has(name)) expect([name, passedOver]).toEqual([name, []]);
    }
    expect(run.size).toBeGreaterThan(5);
    expect(found).toEqual(Object.fromEntries(Object.entries(notRun).map(([name, [blocks]]) => [name, blocks])));
    expect(reasons).toEqual(takenOut);
  });
});

const isTaken = ({ language, text }: Block): boolean => language === 'sh' || (language === '' && PROMPT.test(text));
