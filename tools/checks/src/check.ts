/** `npm run check`: every check that needs no running service. Prints each step with its time; exit code 1 on a failure. */
import { checkFileLengths } from './file-length.js';
import { runNode } from './run-command.js';
import { workspaceRoot } from './workspace.js';

interface Step {
  readonly name: string;
  /** What is wrong, or undefined. */
  readonly run: () => Promise<string | undefined>;
}

const command = (name: string, ...args: string[]): Step => ({
  name,
  run: async () => {
    const { exitCode, output } = await runNode(args);
    return exitCode === 0 ? undefined : output.trim() || `exit code ${exitCode}`;
  },
});

const sourceFolders = ['apps', 'libs', 'tools', 'tests'];

const steps: readonly Step[] = [
  command('format (prettier)', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  {
    name: 'file length',
    run: async () => {
      const complaints = await checkFileLengths(workspaceRoot);
      return complaints.length === 0 ? undefined : complaints.join('\n');
    },
  },
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
  command('lint with types (eslint)', 'node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '.'),
];

let failures = 0;
for (const step of steps) {
  const startedMs = performance.now();
  const complaint = await step.run();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${complaint === undefined ? 'ok  ' : 'FAIL'} ${step.name} (${seconds} s)`);
  if (complaint !== undefined) {
    failures += 1;
    console.log(complaint.replace(/^/gm, '     '));
  }
}
console.log(failures === 0 ? 'check passed' : `check failed: ${failures} of ${steps.length} steps`);
process.exitCode = failures === 0 ? 0 : 1;
