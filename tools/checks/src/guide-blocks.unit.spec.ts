import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url);

/** Blocks that no test runs, by document, and why. A number here only falls: who adds a block runs it, or says why not. */
const notRun: Readonly<Record<string, readonly [blocks: number, reason: string]>> = {
  'README.md': [
    6,
    'starts, installs and compares a whole router, which `npm run first-run` does; its first call stands in the specs of calls',
  ],
  'docs/guides/add-capability.md': [8, 'its contracts are of a provider of the reader'],
  'docs/guides/add-tools.md': [
    12,
    'its documents and rows are of a provider of the reader; specs of the catalogue send the same requests',
  ],
  'docs/guides/command-line.md': [3, 'its commands are those of the specs of the command line, without their values'],
  'docs/guides/exceptions.md': [
    5,
    'its ids are those of exceptions that the reader has; the specs of exceptions provoke some',
  ],
  'docs/guides/finance.md': [4, 'needs a Kafka of the reader'],
  'docs/guides/full-results.md': [1, 'its link is of a truncated answer of the reader'],
  'docs/guides/grants.md': [1, 'its ids are of charges of the reader'],
  'docs/guides/long-histories.md': [1, 'needs the connection of the owner'],
  'docs/guides/mcp.md': [2, 'runs a host that is no part of the project, and starts a router'],
  'docs/guides/providers.md': [7, 'starts servers of the reader'],
  'docs/guides/verify-the-ledger.md': [2, 'reads databases of the reader; specs of the books run both commands'],
};

const SHELL = /^(sh|bash|shell|console)$/;
const COMMAND = /^(\$ |(npm|npx|docker|curl|caprouter|node|source) )/m;

/** Shell blocks of a document: those that say so, and those without a language that begin with a command. */
const shellBlocksOf = (markdown: string): number =>
  [...markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)].filter(
    ([, language = '', text = '']) => SHELL.test(language) || (language === '' && COMMAND.test(text)),
  ).length;

describe('the shell blocks of README and guides', () => {
  it('are run by a test, or listed with the reason why not', async () => {
    const guides = (await readdir(new URL('docs/guides/', root))).map((name) => `docs/guides/${name}`);
    const spec = await readFile(new URL('tests/acceptance/src/guides.acc.spec.ts', root), 'utf8');
    const run = new Set([...spec.matchAll(/'([a-z-]+\.md)'/g)].map(([, name]) => `docs/guides/${name}`));
    const found: Record<string, number> = {};
    for (const name of ['README.md', ...guides]) {
      const blocks = shellBlocksOf(await readFile(new URL(name, root), 'utf8'));
      if (blocks > 0 && !run.has(name)) found[name] = blocks;
    }
    expect(run.size).toBeGreaterThan(5);
    expect(found).toEqual(Object.fromEntries(Object.entries(notRun).map(([name, [blocks]]) => [name, blocks])));
  });
});
