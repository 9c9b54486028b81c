import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findChromium } from './find-chromium.js';
import { findSpecFiles } from './spec-files.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'find-chromium-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the browser of the specs that drive pages', () => {
  it('is the one that is named, else one of the path, else none', () => {
    expect(findChromium({ TEST_CHROMIUM: '/opt/browser', PATH: folder })).toBe('/opt/browser');
    expect(findChromium({ PATH: `/nowhere:${folder}` })).toBeUndefined();
    expect(findChromium({})).toBeUndefined();
    writeFileSync(join(folder, 'chromium'), '');
    expect(findChromium({ PATH: `/nowhere:${folder}` })).toBe(join(folder, 'chromium'));
  });

  it('is needed by specs of their own, which are none of those that every machine runs', async () => {
    const { acceptance, browser } = await findSpecFiles();
    expect(browser.map((path) => path.slice(path.lastIndexOf('/') + 1))).toEqual([
      'console-browser.acc.spec.ts',
      'device-sign-in-browser.acc.spec.ts',
      'reference-browser.acc.spec.ts',
    ]);
    expect(acceptance.filter((path) => browser.includes(path))).toEqual([]);
  });
});
