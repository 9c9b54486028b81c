import { describe, expect, it } from '@jest/globals';
import { judgeFileLength, MAX_FILE_LINES } from './file-length.js';

const body = (lines: number): string => 'const x = 1;\n'.repeat(lines);

describe('judgeFileLength', () => {
  it('accepts a file at the limit', () => {
    expect(judgeFileLength('a.ts', body(MAX_FILE_LINES))).toBeUndefined();
  });

  it('rejects a file one line over the limit', () => {
    expect(judgeFileLength('a.ts', body(MAX_FILE_LINES + 1))).toContain('301 lines');
  });

  it('accepts a long file whose head says why', () => {
    const head = '/** This file is long because the table has one row per country. */\n';
    expect(judgeFileLength('a.ts', head + body(MAX_FILE_LINES))).toBeUndefined();
  });

  it('does not take a reason that stands further down', () => {
    const late = '/** This file is long because … */\n';
    expect(judgeFileLength('a.ts', body(MAX_FILE_LINES) + late)).toContain('301 lines');
  });
});
