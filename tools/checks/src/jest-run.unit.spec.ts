import { describe, expect, it } from '@jest/globals';
import { countsOf, slowestOf } from './jest-run.js';

const report = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};

describe('countsOf', () => {
  it('counts a suite that could not run as a failure', () => {
    expect(countsOf({ ...report, numRuntimeErrorTestSuites: 2 })).toEqual({ passed: 5, failed: 3, skipped: 0 });
  });

  it('reports tests that were switched off', () => {
    expect(countsOf({ ...report, numPendingTests: 2, numTodoTests: 1 })).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });
});

describe('slowestOf', () => {
  it('names the five files that took longest, the longest first', () => {
    const seconds = [3, 9, 1, 7, 5, 2];
    const testResults = seconds.map((s) => ({
      name: `/a/b/s${s}.spec.ts`,
      startTime: 1_000,
      endTime: 1_000 + s * 1_000,
    }));
    expect(slowestOf({ testResults })).toBe(
      '9 s s9.spec.ts, 7 s s7.spec.ts, 5 s s5.spec.ts, 3 s s3.spec.ts, 2 s s2.spec.ts',
    );
  });
});
