import { availableParallelism } from 'node:os';
import { publishReport } from './published-report.js';
import type { TestGroup } from './test-groups.js';

/** Puts the result of a long run, with its date and machine, into `docs/contributing/testing.md`. */
export function writeLongReport(groups: readonly TestGroup[]): Promise<void> {
  return publishReport('docs/contributing/testing.md', 'long report', reportOf(groups, new Date()));
}

export function reportOf(groups: readonly TestGroup[], at: Date): string {
  const machine = `${availableParallelism()} processors, Node ${process.versions.node}`;
  return [
    `Run on ${at.toISOString().slice(0, 10)} (${machine}):`,
    [
      '| Part | Passed | Failed | Seconds |',
      '| --- | ---: | ---: | ---: |',
      ...groups.map(
        ({ name, counts, seconds }) =>
          `| ${name} | ${counts.passed} | ${counts.failed + counts.skipped} | ${seconds.toFixed(0)} |`,
      ),
    ].join('\n'),
  ].join('\n\n');
}
