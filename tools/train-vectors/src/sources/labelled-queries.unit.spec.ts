import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { labelledFolder, originOf, readLabelledData } from './labelled-queries.js';

describe('labelled queries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'labelled-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('are missing as long as a file is missing, and are the English ones', () => {
    const write = (name: string, rows: readonly object[]): void => {
      writeFileSync(join(folder, `${name}.jsonl.gz`), gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join('')));
    };
    write('tools', [{ id: 'a.b', name: 'b', description: '', params: [], source: 'a' }]);
    expect(readLabelledData(folder)).toBeUndefined();
    const english = { text: 'find b', lang: 'en', source: 'a', relevant: ['a.b'] };
    write('queries', [english, { text: '查询', lang: 'zh', source: 'a', relevant: ['a.b'] }]);
    expect(readLabelledData(folder)?.queries).toEqual([english]);
    expect(readLabelledData(folder)?.tools).toHaveLength(1);
  });

  it('are sought in SEARCH_EVAL_DIR', () => {
    expect(labelledFolder({ SEARCH_EVAL_DIR: folder })).toBe(folder);
    expect(labelledFolder({})).toMatch(/shared\/search-eval$/);
  });

  it('know which sources are of one origin', () => {
    expect(['metatool', 'metatool_multi', 'apibench_torchhub', 'toolbench'].map(originOf)).toEqual([
      'metatool',
      'metatool',
      'apibench',
      'toolbench',
    ]);
  });
});
