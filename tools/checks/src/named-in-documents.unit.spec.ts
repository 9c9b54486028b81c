import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from './workspace.js';

const skipped = new Set(['node_modules', 'dist', '.git', '.nx', '.stack', 'coverage', 'embedded-data']);
const sourcePattern = /\.([cm]?[jt]s|json|ya?ml)$/;

/** Paths of all files of the repository, from its root, with `/`. */
async function filesBelow(folder = ''): Promise<string[]> {
  const entries = await readdir(join(workspaceRoot, folder), { withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter(({ name }) => !skipped.has(name))
      .map(async (entry) => {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        return entry.isDirectory() ? filesBelow(path) : [path];
      }),
  );
  return found.flat();
}

/** Methods of MCP, which look like files. */
const methods = new Set(['tools/call', 'tools/list']);

const foldersOf = (path: string): string[] => (path === '.' ? [] : [path, ...foldersOf(dirname(path))]);
const textOf = (path: string): Promise<string> => readFile(join(workspaceRoot, path), 'utf8');

/** The texts between backticks in the prose of a document, of one line each. */
const codeOf = (text: string): string[] =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code.trim());

const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));

describe('what documents name is there', () => {
  let files: string[];
  let paths: Set<string>;
  let documents: (readonly [path: string, text: string])[];
  beforeAll(async () => {
    files = await filesBelow();
    paths = new Set(files.flatMap(foldersOf));
    documents = await Promise.all(
      files.filter((path) => path.endsWith('.md')).map(async (path) => [path, await textOf(path)] as const),
    );
    expect(documents.length).toBeGreaterThan(60);
  });

  /** A name from the root, from the package of the document, or the end of a path. */
  const isThere = (document: string, name: string): boolean => {
    const plain = name.replace(/\/$/, '');
    if (/^(apps|libs|tools|tests|deploy|docs|docker)\//.test(plain)) return paths.has(plain);
    const own = foldersOf(dirname(document)).some((folder) => paths.has(`${folder}/${plain}`));
    return own || [...paths].some((path) => path.endsWith(`/${plain}`) || path === plain);
  };

  it('files and folders', () => {
    const pathPattern = /^(apps|libs|tools|tests|deploy|docs|docker|src)\/[\w./-]+$|^[\w./-]+\.[cm]?ts$/;
    const strays = documents.flatMap(([document, text]) =>
      codeOf(text)
        .filter((code) => pathPattern.test(code) && !methods.has(code) && !isThere(document, code))
        .map((code) => `${document}: ${code}`),
    );
    expect(strays).toEqual([]);
  });

  it('what they link to', () => {
    const strays = documents.flatMap(([document, text]) =>
      linksOf(text)
        .filter((link) => !paths.has(normalize(join(dirname(document), link)).replace(/\/$/, '') || '.'))
        .map((link) => `${document}: ${link}`),
    );
    expect(strays).toEqual([]);
  });

  // ADRs and guides may name what is not ours: what was decided against, a variable of a script.
  it('classes, functions and variables, in what describes the code', async () => {
    const sources = files.filter((path) => sourcePattern.test(path) && basename(path) !== 'package-lock.json');
    const words = new Set(
      (await Promise.all(sources.map(textOf))).flatMap((text) => text.match(/[A-Za-z_]\w+/g) ?? []),
    );
    const describing = /^docs\/[\w-]+\.md$|^docs\/contributing\/|^(apps|libs)\/[\w-]+\/README\.md$|^CONTRIBUTING\.md$/;
    const namePattern = /^(?:[A-Za-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+|[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?:\(.*\))?$/;
    const strays = documents
      .filter(([document]) => describing.test(document))
      .flatMap(([document, text]) =>
        codeOf(text)
          .filter((code) => namePattern.test(code) && !words.has(code.replace(/\(.*/, '')))
          .map((code) => `${document}: ${code}`),
      );
    expect(strays).toEqual([]);
  });
});
