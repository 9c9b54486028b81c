import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { format } from 'oxfmt';
import type { TestGroup } from './test-groups.js';
import { workspaceRoot } from './workspace.js';

const begin = '<!-- begin long report -->';
const end = '<!-- end long report -->';

/** Puts the result of a long run, with its date and machine, into `docs/contributing/testing.md`. */
export async function writeLongReport(groups: readonly TestGroup[]): Promise<void> {
  const file = join(workspaceRoot, 'docs/contributing/testing.md');
  const document = withReport(await readFile(file, 'utf8'), reportOf(groups, new Date()));
  await writeFile(file, (await format(file, document, { printWidth: 120, singleQuote: true })).code);
}

/** Throws where the document has no place for a report. */
export function withReport(document: string, report: string): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`there is no ${begin} … ${end} to put the report into`);
  return `${document.slice(0, from + begin.length)}\n\n${report}\n\n${document.slice(to)}`;
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
