/**
 * `npm run torture -- --minutes 60 --seed 7`: faults in a random order on the real stack under load, each held to what
 * `docs/availability.md` promises; writes a report. Exit code 1 when a promise was broken or the books differ.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runTorture } from './stack-tests.js';

const MAX_MINUTES = 24 * 60;
const usage = 'usage: npm run torture -- [--minutes 60] [--seed 7] [--report torture.md]';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    report: { type: 'string', default: 'torture.md' },
  },
});
const minutes = wholeNumber(values.minutes, 1, MAX_MINUTES);
const seed = wholeNumber(values.seed, 0, 2 ** 32 - 1);
if (minutes === undefined || seed === undefined) {
  console.error(`${usage}; whole numbers, at most ${MAX_MINUTES} minutes`);
  process.exit(2);
}
const report = resolve(values.report);
const groups = await runTorture({ minutes, seed, report });
for (const { name, counts } of groups) console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed`);
console.log(`The report is in ${report}; the same order again: --seed ${seed}`);
process.exit(groups.every(({ counts }) => counts.failed + counts.skipped === 0 && counts.passed > 0) ? 0 : 1);

function wholeNumber(text: string, min: number, max: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
}
