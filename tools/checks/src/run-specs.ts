/**
 * `npm run spec -- <path> …`: the specs at or below these paths. Starts a PostgreSQL for those that need one, unless
 * `TEST_POSTGRES_URL` names one; other servers have to be there. Exit code 1 when a test failed or could not run.
 */
import { resolve, sep } from 'node:path';
import { runJest } from './jest-run.js';
import { startScratchPostgres } from './scratch-postgres.js';
import { findSpecFiles } from './spec-files.js';
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
  ...specs.faults,
];
const chosen = every.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}${sep}`)));
if (chosen.length === 0) {
  console.error(wanted.length === 0 ? 'usage: npm run spec -- <file or folder> …' : 'there is no spec at these paths');
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const run = (env: Readonly<Record<string, string>>) => runJest(chosen, { workers: 1, testTimeoutMs: TIMEOUT_MS, env });
const needsPostgres =
  chosen.some((file) => specs.postgres.includes(file)) && process.env['TEST_POSTGRES_URL'] === undefined;
const counts = needsPostgres
  ? await withStarted(startScratchPostgres, ({ url }) => run({ TEST_POSTGRES_URL: url }))
  : await run({});
process.exit(counts.failed + counts.skipped === 0 ? 0 : 1);
