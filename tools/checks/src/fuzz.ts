/**
 * `npm run fuzz -- --cases 1000 --seed 7 [--stack]`: at least so many requests that schemathesis makes of the OpenAPI document,
 * valid ones and spoilt ones, to a deployment that is started for them; afterwards the books must be equal and nothing open.
 * `--stack`: to two replicas of every service. The same seed makes the same requests. Exit code 1 when an answer is not as it
 * is documented, or something is left.
 */
import { parseArgs } from 'node:util';
import { fuzzStack, fuzzStandalone } from './fuzz/fuzz-tests.js';
import { lineOf } from './test-groups.js';

const MAX_CASES = 1_000_000;
const usage = 'usage: npm run fuzz -- [--cases 1000] [--seed 7] [--document public|admin] [--stack]; whole numbers';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    document: { type: 'string', default: 'public' },
    stack: { type: 'boolean', default: false },
  },
});
const cases = wholeNumber(values.cases, 1, MAX_CASES);
const seed = wholeNumber(values.seed, 0, 2 ** 32 - 1);
const { document } = values;
if (cases === undefined || seed === undefined || (document !== 'public' && document !== 'admin')) {
  console.error(`${usage}, at most ${MAX_CASES} cases`);
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const groups = await (values.stack ? fuzzStack : fuzzStandalone)({ document, cases, seed });
for (const group of groups) console.log(lineOf(group));
console.log(`The same again: --document ${document} --seed ${seed}`);
const passed = groups.reduce((sum, { counts }) => sum + counts.passed, 0);
const failed = groups.reduce((sum, { counts }) => sum + counts.failed + counts.skipped, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function wholeNumber(text: string, min: number, max: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
}
