import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Spill, type SpilledRow } from './spill.js';

const KEYS = 3_000;
const ROUNDS = 20;

describe('records in temporary files', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'spill-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('come back whole, those of one key together and in their order, in parts of the whole', async () => {
    const spill = await Spill.open(folder);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (let key = 0; key < KEYS; key += 1)
        await spill.add([`key\n${key}`, round, null, true, 'text "quoted"\u2028']);
    }
    const seen = new Map<string, readonly SpilledRow[]>();
    let largest = 0;
    for await (const groups of spill.groups()) {
      largest = Math.max(largest, groups.size);
      for (const [key, rows] of groups) {
        expect(seen.has(key)).toBe(false);
        seen.set(key, rows);
      }
    }
    expect(seen.size).toBe(KEYS);
    expect(largest).toBeLessThan(KEYS / 20);
    for (const [key, rows] of seen) {
      expect(rows).toEqual(
        Array.from({ length: ROUNDS }, (_, round) => [key, round, null, true, 'text "quoted"\u2028']),
      );
    }
    await spill.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are readable by their owner only, and gone when closed', async () => {
    const spill = await Spill.open(folder);
    await spill.add(['a', 1]);
    for await (const groups of spill.groups()) expect(groups.size).toBe(1);
    const [inside] = readdirSync(folder);
    const path = join(folder, inside ?? '');
    expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(path)) expect(statSync(join(path, file)).mode & 0o777).toBe(0o600);
    await spill.close();
    expect(existsSync(path)).toBe(false);
  });

  it('leave nothing behind a process that ends before they are read', async () => {
    const spill = new URL('../../dist/ledger-verify/spill.js', import.meta.url).href;
    const program = `const { Spill } = await import('${spill}');
      const spill = await Spill.open(process.argv[1]);
      for (let key = 0; key < 5_000; key += 1) await spill.add(['one key', 'x'.repeat(100)]);
      console.log((await import('node:fs')).readdirSync(process.argv[1]).length);
      process.exit(130);`;
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program, folder]);
    expect([String(stdout).trim(), status, readdirSync(folder)]).toEqual(['1', 130, []]);
  });
});
