/**
 * `npm test` (standalone) and `npm run test:stack` (stack): every test of that mode, whatever the earlier ones did, and
 * one line with the sum at the end. Exit code 1 when a test failed, could not run, or was switched off.
 */
import type { TestCounts } from './jest-run.js';
import { runStackTests } from './stack-tests.js';
import { runStandaloneTests } from './standalone-tests.js';
import { countGroup, type TestGroup } from './test-groups.js';

const modes: Readonly<Record<string, () => Promise<readonly TestGroup[]>>> = {
  standalone: runStandaloneTests,
  stack: runStackTests,
};

const mode = modes[process.argv[2] ?? ''];
if (mode === undefined) throw new Error(`usage: run-tests.js ${Object.keys(modes).join('|')}`);

// Ending the run ends what it started: each starter kills its child when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const groups = await mode();
console.log('');
for (const { name, counts, seconds } of groups) {
  console.log(`${name}: ${describe(counts)} (${seconds.toFixed(0)} s)`);
}
const total = countGroup(groups.map((group) => group.counts));
console.log(`${total.passed} passed, ${total.failed + total.skipped} failed`);
// Handles that a stopped server leaves behind must not keep a finished run alive.
process.exit(total.failed + total.skipped === 0 && total.passed > 0 ? 0 : 1);

function describe(counts: TestCounts): string {
  const switchedOff = counts.skipped === 0 ? '' : `, ${counts.skipped} switched off (count as failed)`;
  return `${counts.passed} passed, ${counts.failed} failed${switchedOff}`;
}
