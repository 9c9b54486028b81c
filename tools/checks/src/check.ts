/**
 * `npm run check`: every check that needs no running service, as many at a time as there are processors. Prints each step
 * with its seconds when it has ended; exit code 1 on a failure.
 */
import { availableParallelism } from 'node:os';
import pMap from 'p-map';
import { checkFileLengths } from './file-length.js';
import { runNode } from './run-command.js';
import { checkSliceImports } from './slice-imports.js';
import { checkSqlFiles } from './sql-files.js';
import { workspaceRoot } from './workspace.js';

interface Step {
  readonly name: string;
  /** The fault, or undefined. */
  readonly run: () => Promise<string | undefined>;
}

const command = (name: string, ...args: string[]): Step => ({
  name,
  run: async () => {
    const { exitCode, output } = await runNode(args);
    return exitCode === 0 ? undefined : output.trim() || `exit code ${exitCode}`;
  },
});

/** `find` resolves to complaints about the files below a folder. */
const finding = (name: string, find: (root: string) => Promise<string[]>): Step => ({
  name,
  run: async () => {
    const complaints = await find(workspaceRoot);
    return complaints.length === 0 ? undefined : complaints.join('\n');
  },
});

const sourceFolders = ['apps', 'libs', 'tools', 'tests'];

/** The longest first, so that the short ones fill what is left of the processors. */
const steps: readonly Step[] = [
  command('lint with types (oxlint)', 'node_modules/oxlint/bin/oxlint', '.'),
  command('format (oxfmt)', 'node_modules/oxfmt/bin/oxfmt', '--check', '.'),
  finding('file length', checkFileLengths),
  finding('where SQL stands', checkSqlFiles),
  finding('slices do not import each other', checkSliceImports),
  command(
    'import direction (dependency-cruiser)',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err-long',
    ...sourceFolders,
  ),
  command('generated documents are up to date', 'tools/docs/dist/generate.js', '--check'),
];

const complaints = await pMap(
  steps,
  async (step) => {
    const startedMs = performance.now();
    const complaint = await step.run();
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`${complaint === undefined ? 'ok  ' : 'FAIL'} ${step.name} (${seconds} s)`);
    if (complaint !== undefined) console.log(complaint.replace(/^/gm, '     '));
    return complaint;
  },
  { concurrency: availableParallelism() },
);
const failures = complaints.filter((complaint) => complaint !== undefined).length;
console.log(failures === 0 ? 'check passed' : `check failed: ${failures} of ${steps.length} steps`);
process.exitCode = failures === 0 ? 0 : 1;
