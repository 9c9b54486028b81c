import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadKeys } from './keys.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'standalone-keys-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the keys of an installation', () => {
  it('are made once, for their owner only', () => {
    const keys = loadKeys(folder);
    expect(keys.credentialKeys).toMatch(/^k1:[0-9a-f]{64}$/);
    expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(loadKeys(folder)).toEqual(keys);
  });

  it('are added to those of an earlier release, which stay', () => {
    const { credentialKeys, ...earlier } = loadKeys(folder);
    writeFileSync(join(folder, 'keys.json'), JSON.stringify(earlier));
    const keys = loadKeys(folder);
    expect(keys).toMatchObject(earlier);
    expect(keys.credentialKeys).not.toBe(credentialKeys);
    expect(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'))).toEqual(keys);
  });
});
