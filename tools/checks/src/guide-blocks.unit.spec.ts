import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../../', import.meta.url);

/** Blocks that no test runs, by document, and why. A number here only falls: who adds a block runs it, or says why not. */
const notRun: Readonly<Record<string, readonly [blocks: number, reason: string]>> = {
  'README.md': [
    6,
    'starts, installs and compares a whole router, which `npm run first-run` does; its first call stands in the specs of calls',
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

/**
 * Blocks of guides that are run, which a comment before them takes out of the run: by document, their reasons. A block
 * stands here when it cannot be run on the machine of a test.
 */
const takenOut: Readonly<Record<string, readonly string[]>> = {
  'docs/guides/add-tools.md': ['it starts another router; those of the tests are started with this setting'],
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
    const run = new Set([...text.matchAll(/'([a-z-]+\.md)'/g)].map(([, name]) => `docs/guides/${name}`));
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
