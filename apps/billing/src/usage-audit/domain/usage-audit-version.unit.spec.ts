import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { USAGE_AUDIT_VERSION } from './usage-row.js';

/** The numbers in the first column of the guide's table of versions. */
function versionsOfGuide(): number[] {
  const guide = readFileSync(new URL('../../../../../docs/guides/long-histories.md', import.meta.url), 'utf8');
  const [, rows = ''] = /^\| Version .*\n\|[ -|]+\|\n((?:\|.*\n)*)/m.exec(guide) ?? [];
  return rows
    .split('\n')
    .filter((row) => row !== '')
    .map((row) => Number(row.split('|')[1]));
}

describe('the version of the audit', () => {
  it('has a row in the guide, as every version since the first has', () => {
    const versions = Array.from({ length: USAGE_AUDIT_VERSION - 1 }, (_, index) => index + 2);
    expect(versionsOfGuide()).toEqual(versions);
  });
});
