/**
 * `npm run spec -- <path> …`: the specs at or below these paths. Starts a PostgreSQL for those that need one, unless
 * `TEST_POSTGRES_URL` names one, and a standalone for those of acceptance, unless `ACCEPTANCE_BASE_URL` names a
 * deployment; other servers have to be there. Exit code 1 when a test failed or could not run.
 */
import { resolve, sep } from 'node:path';
import { runJest, type TestCounts } from './jest-run.js';
import { startScratchPostgres } from './scratch-postgres.js';
import { findSpecFiles } from './spec-files.js';
import { runAcceptance } from './standalone-tests.js';
import { withStarted } from './test-groups.js';

/** Milliseconds: the longest that any group of the whole run gives a test. */
const TIMEOUT_MS = 180_000;

const wanted = process.argv.slice(2).map((path) => resolve(path));
const specs = await findSpecFiles();
const every = [
  ...specs.selfContained,
  ...specs.measuringTime,
  ...specs.postgres,
  ...specs.stack,
  ...specs.acceptance,
  ...specs.browser,
  ...specs.faults,
  ...specs.longRun,
];
const chosen = every.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}${sep}`)));
if (chosen.length === 0) {
  console.error(wanted.length === 0 ? 'usage: npm run spec -- <file or folder> …' : 'there is no spec at these paths');
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const blackBox = process.env['ACCEPTANCE_BASE_URL'] === undefined ? [...specs.acceptance, ...specs.browser] : [];
const others = chosen.filter((file) => !blackBox.includes(file));
const run = (env: Readonly<Record<string, string>>) => runJest(others, { workers: 1, testTimeoutMs: TIMEOUT_MS, env });
const needsPostgres =
  others.some((file) => specs.postgres.includes(file)) && process.env['TEST_POSTGRES_URL'] === undefined;
const counts: TestCounts[] = [];
if (others.length > 0) {
  counts.push(
    needsPostgres
      ? await withStarted(startScratchPostgres, ({ url }) => run({ TEST_POSTGRES_URL: url }))
      : await run({}),
  );
}
if (others.length < chosen.length) counts.push(await runAcceptance(chosen.filter((file) => blackBox.includes(file))));
process.exit(counts.every(({ failed, skipped }) => failed + skipped === 0) ? 0 : 1);
