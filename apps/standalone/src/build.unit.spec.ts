import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { buildIfNeeded } from '../bin/build/build.mjs';
import { createProgress } from '../bin/progress.mjs';

/** Milliseconds; the compiler runs on a machine under load. */
const TIMEOUT_MS = 120_000;
const repository = fileURLToPath(new URL('../../..', import.meta.url));

describe('the build before a start', () => {
  let root: string;
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
    execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' });
  };
  const commit = (): void => {
    git('add', '.');
    git('commit', '-m', 'state');
  };
  const build = () => buildIfNeeded(root, createProgress({ write: () => undefined }));
  const built = (path = 'apps/standalone/dist/main.js'): string => readFileSync(join(root, path), 'utf8');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'start-build-'));
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
    const compilerOptions = { rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' };
    const project = (references: object[]): string =>
      JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions, include: ['src'], references });
    put('tsconfig.base.json', readFileSync(join(repository, 'tsconfig.base.json'), 'utf8'));
    put('.gitignore', 'dist\nnode_modules\n');
    for (const path of ['apps/standalone', 'libs/one']) put(`${path}/package.json`, '{"type":"module"}');
    put('apps/standalone/tsconfig.json', project([{ path: '../../libs/one' }]));
    put('libs/one/tsconfig.json', project([]));
    put('apps/standalone/src/main.ts', 'export const answer: number = 41;\n');
    put('libs/one/src/index.ts', 'export const one = 1;\n');
    git('init', '-q');
    commit();
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it(
    'builds a fresh clone with all it refers to, then nothing, and anew what a commit, a pull or a branch brings',
    async () => {
      expect(await build()).toBe('transpiled');
      expect(built()).toContain('answer = 41');
      expect(built()).toContain('sourceMappingURL=main.js.map');
      expect(built('libs/one/dist/index.js')).toContain('one = 1');
      expect(await build()).toBe('none');

      git('checkout', '-q', '-b', 'other');
      put('apps/standalone/src/main.ts', 'export const answer: number = 42;\n');
      commit();
      expect(await build()).toBe('transpiled');
      expect(built()).toContain('answer = 42');
      git('checkout', '-q', '-');
      expect(await build()).toBe('transpiled');
      expect(built()).toContain('answer = 41');
    },
    TIMEOUT_MS,
  );

  it(
    'notices an edit of the same length and time, and a built file that is gone',
    async () => {
      await build();
      const source = join(root, 'libs/one/src/index.ts');
      const noon = new Date('2026-01-01T12:00:00Z');
      utimesSync(source, noon, noon);
      await build();
      expect(await build()).toBe('none');
      put('libs/one/src/index.ts', 'export const one = 7;\n');
      utimesSync(source, noon, noon);
      expect(await build()).toBe('checked');
      expect(built('libs/one/dist/index.js')).toContain('one = 7');

      rmSync(join(root, 'libs/one/dist/index.js'));
      expect(await build()).toBe('checked');
      expect(built('libs/one/dist/index.js')).toContain('one = 7');
    },
    TIMEOUT_MS,
  );

  it(
    'checks the types of what was edited, says what the compiler says, and starts nothing until it is mended',
    async () => {
      put('apps/standalone/src/main.ts', 'export const answer: number = "no";\n');
      await expect(build()).rejects.toThrow(/main\.ts\(1,14\): error TS2322/);
      await expect(build()).rejects.toThrow(/main\.ts\(1,14\): error TS2322/);
      put('apps/standalone/src/main.ts', 'export const answer: number = 43;\n');
      expect(await build()).toBe('checked');
      expect(built()).toContain('answer = 43');
    },
    TIMEOUT_MS,
  );

  it(
    'says where the syntax of a commit is wrong, and does not take its rest for built',
    async () => {
      put('apps/standalone/src/main.ts', 'export const answer = ;\n');
      commit();
      await expect(build()).rejects.toThrow(/main\.ts/);
      await expect(build()).rejects.toThrow(/The build failed/);
    },
    TIMEOUT_MS,
  );

  it(
    'leaves to the full build what was not checked',
    async () => {
      put('apps/standalone/src/main.ts', 'export const answer: number = "committed";\n');
      commit();
      expect(await build()).toBe('transpiled');
      const compiler = join(repository, 'node_modules/typescript7/bin/tsc');
      const full = () =>
        execFileSync(process.execPath, [compiler, '-b', 'apps/standalone'], { cwd: root, stdio: 'pipe' });
      expect(full).toThrow();
    },
    TIMEOUT_MS,
  );

  it('asks for nothing where there are no sources, or no compiler and everything is newer than they', async () => {
    await build();
    rmSync(join(root, 'apps/standalone/dist/.start-stamp'));
    rmSync(join(root, 'node_modules'));
    expect(await build()).toBe('none');
    put('libs/one/src/index.ts', 'export const one = 9;\n');
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(root, 'libs/one/src/index.ts'), later, later);
    await expect(build()).rejects.toThrow(/npm ci/);
    rmSync(join(root, 'apps/standalone/src'), { recursive: true });
    expect(await build()).toBe('none');
    rmSync(join(root, 'apps/standalone/dist'), { recursive: true });
    await expect(build()).rejects.toThrow(/nothing to start/);
  });
});
