import { describe, expect, it } from '@jest/globals';
import { reportOf } from './long-report.js';

const group = { name: 'histories', counts: { passed: 2, failed: 1, skipped: 1 }, seconds: 61.4, processorSeconds: 100 };

describe('the report of a long run', () => {
  it('says when it ran, and counts what was switched off as failed', () => {
    const report = reportOf([group], new Date('2026-11-22T10:00:00Z'));
    expect(report).toMatch(/^Run on 2026-11-22 /);
    expect(report).toContain('| histories | 2 | 2 | 61 |');
  });
});
