/**
 * `npm run torture -- --minutes 60 --seed 7`: faults in a random order on the real stack under load, each held to what
 * `docs/availability.md` promises; writes a report, with `--publish` into that document too. `--only <text>`, which may be
 * repeated, plays the faults whose names contain it: once each, or for as long as `--minutes` says. Exit code 1 when a
 * promise was broken or the books differ.
 */
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishReport } from './published-report.js';
import { runTorture } from './stack-tests.js';

const DEFAULT_MINUTES = '60';
const MAX_MINUTES = 24 * 60;
const usage =
  'usage: npm run torture -- [--minutes 60] [--seed 7] [--only "redis is frozen"] [--report torture.md] [--publish]';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', multiple: true, default: [] },
    report: { type: 'string', default: 'torture.md' },
    publish: { type: 'boolean', default: false },
  },
});
const { only, publish } = values;
const once = only.length > 0 && values.minutes === undefined;
const minutes = once ? 0 : wholeNumber(values.minutes ?? DEFAULT_MINUTES, 1, MAX_MINUTES);
const seed = wholeNumber(values.seed, 0, 2 ** 32 - 1);
if (minutes === undefined || seed === undefined) {
  console.error(`${usage}; whole numbers, at most ${MAX_MINUTES} minutes`);
  process.exit(2);
}
const report = resolve(values.report);
// One of an earlier run is none of this one.
await rm(report, { force: true });
const groups = await runTorture({ minutes, seed, only, report });
for (const { name, counts } of groups) console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed`);
const written = existsSync(report);
if (written) console.log(`The report is in ${report}${once ? '' : `; the same order again: --seed ${seed}`}`);
if (publish && written)
  await publishReport('docs/availability.md', 'torture report', (await readFile(report, 'utf8')).trim());
process.exit(groups.every(({ counts }) => counts.failed + counts.skipped === 0 && counts.passed > 0) ? 0 : 1);

function wholeNumber(text: string, min: number, max: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
}
