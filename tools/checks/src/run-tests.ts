/**
 * `npm test` (standalone), `npm run test:stack` (stack) and `npm run test:long` (long): every test of that mode, whatever
 * the earlier ones did, and one line with the sum at the end. Exit code 1 when a test failed, could not run, or was
 * switched off. `--report` writes the result of the long mode into `docs/contributing/testing.md`.
 */
import { parseArgs } from 'node:util';
import { runLongTests } from './long-tests.js';
import { writeLongReport } from './long-report.js';
import { runStackTests } from './stack-tests.js';
import { runStandaloneTests } from './standalone-tests.js';
import { countGroup, lineOf, type TestGroup } from './test-groups.js';

/** Random choices in tests begin with this seed, so that a build that passes passes again; the long run plays others. */
const SEED = '20260101';

const modes: Readonly<Record<string, () => Promise<readonly TestGroup[]>>> = {
  standalone: runStandaloneTests,
  stack: runStackTests,
  long: runLongTests,
};

const { values, positionals } = parseArgs({ options: { report: { type: 'boolean' } }, allowPositionals: true });
const name = positionals[0] ?? '';
const mode = modes[name];
if (mode === undefined || positionals.length > 1 || (values.report === true && name !== 'long')) {
  console.error(`usage: run-tests.js ${Object.keys(modes).join('|')}; with long, --report writes the result down`);
  process.exit(2);
}

// Ending the run ends what it started: each starter kills its child when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

// Jest inherits it.
if (name !== 'long') process.env['TEST_SEED'] ??= SEED;
const groups = await mode();
console.log('');
for (const group of groups) console.log(lineOf(group));
if (values.report === true) await writeLongReport(groups);
const total = countGroup(groups.map((group) => group.counts));
console.log(`${total.passed} passed, ${total.failed + total.skipped} failed`);
// Handles that a stopped server leaves behind must not keep a finished run alive.
process.exit(total.failed + total.skipped === 0 && total.passed > 0 ? 0 : 1);
