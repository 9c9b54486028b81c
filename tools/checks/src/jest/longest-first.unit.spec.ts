import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import LongestFirst from './longest-first.js';

describe('the order of spec files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'longest-first-'));
    for (const [name, bytes] of [
      ['small.int.spec.ts', 10],
      ['large.int.spec.ts', 1_000],
      ['short.sim.spec.ts', 20],
      ['middle.unit.spec.ts', 100],
    ] as const)
      writeFileSync(join(folder, name), 'x'.repeat(bytes));
    writeFileSync(join(folder, 'long.acc.spec.ts'), '/** @takes-long It asks for much. */');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('begins with what takes long and random histories, goes on with the largest file, and loses none', () => {
    const tests = ['small.int', 'short.sim', 'middle.unit', 'large.int', 'long.acc', 'gone.int'].map((name) => ({
      path: join(folder, `${name}.spec.ts`),
    }));
    expect(new LongestFirst().sort(tests).map(({ path }) => path.slice(folder.length + 1))).toEqual([
      'long.acc.spec.ts',
      'short.sim.spec.ts',
      'large.int.spec.ts',
      'middle.unit.spec.ts',
      'small.int.spec.ts',
      'gone.int.spec.ts',
    ]);
  });
});
