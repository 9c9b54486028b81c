import { runJest } from './jest-run.js';
import { startScratchPostgres } from './scratch-postgres.js';
import { findSpecFiles } from './spec-files.js';
import { startStandalone } from './standalone-process.js';
import { runGroup, withStarted, type TestGroup } from './test-groups.js';

const WORKERS = 2;
/** Milliseconds. */
const UNIT_TIMEOUT_MS = 10_000;
const INTEGRATION_TIMEOUT_MS = 60_000;
export const ACCEPTANCE_TIMEOUT_MS = 90_000;

/** What a machine with nothing but Node can test: pure parts, parts on PostgreSQL, and the whole on embedded parts. */
export async function runStandaloneTests(): Promise<readonly TestGroup[]> {
  const specs = await findSpecFiles();
  return [
    await runGroup('unit', () => runJest(specs.unit, { workers: WORKERS, testTimeoutMs: UNIT_TIMEOUT_MS })),
    await runGroup('parts on PostgreSQL', () =>
      withStarted(startScratchPostgres, ({ url }) =>
        runJest(specs.postgres, {
          workers: WORKERS,
          testTimeoutMs: INTEGRATION_TIMEOUT_MS,
          env: { TEST_POSTGRES_URL: url },
        }),
      ),
    ),
    await runGroup('acceptance on standalone', () =>
      withStarted(startStandalone, ({ env }) =>
        runJest(specs.acceptance, { workers: WORKERS, testTimeoutMs: ACCEPTANCE_TIMEOUT_MS, env }),
      ),
    ),
  ];
}
