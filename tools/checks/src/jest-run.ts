import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { runNode } from './run-command.js';
import { workspaceRoot } from './workspace.js';

export interface TestCounts {
  readonly passed: number;
  /** Failed tests, and suites that could not run at all. */
  readonly failed: number;
  /** Tests that someone switched off: they count as failed, so that nothing skips in silence. */
  readonly skipped: number;
}

/** The part of jest's `--json` report that is read here. */
interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
  /** A spec file each, with milliseconds of the wall clock. */
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

/** Spec files of a group that are named with their seconds at its end: what to look at when the group grows. */
const SLOWEST_SHOWN = 5;

export function countsOf(report: Omit<JestReport, 'testResults'>): TestCounts {
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** `12 s a.spec.ts, 3 s b.spec.ts`: the files that took longest. */
export function slowestOf({ testResults }: Pick<JestReport, 'testResults'>): string {
  return testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST_SHOWN)
    .map(({ name, seconds }) => `${seconds.toFixed(0)} s ${basename(name)}`)
    .join(', ');
}

export interface JestOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Workers; 1 runs the suites one after another. */
  readonly workers: number;
  /** Milliseconds for a single test. */
  readonly testTimeoutMs: number;
}

/** Runs the given spec files and shows jest's own output. A jest that leaves no report counts as one failure. */
export async function runJest(specFiles: readonly string[], options: JestOptions): Promise<TestCounts> {
  // Without paths jest would run everything, and a group without tests proves nothing.
  if (specFiles.length === 0) throw new Error('no spec files were found');
  const folder = await mkdtemp(join(tmpdir(), 'capability-router-jest-'));
  const reportFile = join(folder, 'report.json');
  try {
    const { exitCode } = await runNode(
      [
        'node_modules/jest/bin/jest.js',
        '--json',
        `--outputFile=${reportFile}`,
        `--maxWorkers=${options.workers}`,
        `--testTimeout=${options.testTimeoutMs}`,
        '--testSequencer=<rootDir>/tools/checks/dist/jest/longest-first.js',
        '--runTestsByPath',
        ...specFiles.map((path) => relative(workspaceRoot, path)),
      ],
      { inherit: true, ...(options.env === undefined ? {} : { env: options.env }) },
    );
    const report = JSON.parse(await readFile(reportFile, 'utf8')) as JestReport;
    const counts = countsOf(report);
    console.log(`slowest: ${slowestOf(report)}`);
    // Jest can also fail for a reason that is no test, such as an error after the last one.
    return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
