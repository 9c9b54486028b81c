import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '../../workspace.js';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

const native = join(workspaceRoot, 'tools/checks/dist/jest/native');
const imports = `import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';\n`;

describe('jest in modules that Node loads', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'native-runtime-'));
    for (const folder of ['apps/one/src', 'apps/one/dist', 'libs', 'tools', 'tests'])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(root, 'apps/one/tsconfig.json'), '{}');
    const config = {
      rootDir: root,
      testEnvironment: join(native, 'native-environment.js'),
      runtime: join(native, 'native-runtime.js'),
      injectGlobals: false,
      transform: {},
      extensionsToTreatAsEsm: ['.ts'],
      testMatch: ['<rootDir>/apps/**/*.spec.ts'],
    };
    writeFileSync(join(root, 'jest.config.json'), JSON.stringify(config));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const compiled = (name: string, text: string): void => writeFileSync(join(root, 'apps/one/dist', name), text);
  const spec = (name: string, text: string): void => {
    writeFileSync(join(root, 'apps/one/src', `${name}.spec.ts`), '');
    compiled(`${name}.spec.js`, imports + text);
  };
  /** One worker and one order, so that what a file leaves behind would meet the next. */
  const run = (): Report => {
    writeFileSync(join(root, 'apps/one/dist/.tsbuildinfo'), '');
    const report = join(root, 'report.json');
    const jest = join(workspaceRoot, 'node_modules/jest/bin/jest.js');
    const args = ['-c', 'jest.config.json', '--runInBand', '--json', `--outputFile=${report}`, '--testTimeout=300'];
    const { stderr } = spawnSync(process.execPath, [jest, ...args], { cwd: root, encoding: 'utf8' });
    if (stderr.includes('No tests found')) throw new Error(stderr);
    return JSON.parse(readFileSync(report, 'utf8')) as Report;
  };
  const statuses = (report: Report): Record<string, string> =>
    Object.fromEntries(
      report.testResults.flatMap(({ assertionResults }) =>
        assertionResults.map(({ title, status }) => [title, status]),
      ),
    );

  it('fails what fails: an expectation, a test that never ends, a hook, and an error that nobody waits for', () => {
    spec('a', `it('passes', () => expect(1).toBe(1)); it('differs', () => expect(1).toBe(2));`);
    spec(
      'b',
      `it('hangs', () => new Promise(() => undefined)); it('hangs longer than its own time', () => new Promise(() => undefined), 50);`,
    );
    spec(
      'c',
      `describe('x', () => { beforeAll(() => { throw new Error('hook'); }); it('has a failed hook', () => undefined); });`,
    );
    spec(
      'd',
      `it('is thrown at', async () => { setTimeout(() => { throw new Error('stray'); }, 1); await new Promise((r) => setTimeout(r, 50)); });`,
    );
    spec('e', `throw new Error('while loading');`);
    const report = run();
    expect(statuses(report)).toEqual({
      passes: 'passed',
      differs: 'failed',
      hangs: 'failed',
      'hangs longer than its own time': 'failed',
      'has a failed hook': 'failed',
      'is thrown at': 'failed',
    });
    expect(report.testResults.find(({ name }) => name.endsWith('e.spec.ts'))?.message).toContain('while loading');
  });

  it('keeps tests, focus, time-outs and spies of a file to that file, and its modules for all', () => {
    compiled(
      'shared.js',
      `import { expect, it } from '@jest/globals'; export let loads = 0; loads += 1; export const clock = { now: () => 'real' }; export const agrees = (name) => it(name, () => expect(loads).toBe(1));`,
    );
    spec(
      'a',
      `import { agrees, clock } from './shared.js'; jest.setTimeout(5_000); agrees('a shares'); it.only('a is alone', () => { jest.spyOn(clock, 'now').mockReturnValue('spied'); expect(clock.now()).toBe('spied'); });`,
    );
    spec(
      'b',
      `import { agrees, clock } from './shared.js'; agrees('b shares'); it('b has no spy', () => expect(clock.now()).toBe('real')); it('b has the time of the run', () => new Promise((r) => setTimeout(r, 1_000)));`,
    );
    expect(statuses(run())).toEqual({
      'a shares': 'pending',
      'a is alone': 'passed',
      'b shares': 'passed',
      'b has no spy': 'passed',
      'b has the time of the run': 'failed',
    });
  });

  it('refuses to test what was built before its sources changed', () => {
    spec('a', `it('passes', () => undefined);`);
    const tomorrow = Date.now() / 1000 + 86_400;
    utimesSync(join(root, 'apps/one/src/a.spec.ts'), tomorrow, tomorrow);
    const report = run();
    expect(report.numPassedTests).toBe(0);
    expect(report.testResults[0]?.message).toContain(
      'apps/one/src/a.spec.ts changed after the last build: npm run build',
    );
  });
});
