import { describe, expect, it } from '@jest/globals';
import { countsOf } from './jest-run.js';

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
