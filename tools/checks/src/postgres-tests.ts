import { startScratchCluster } from '@capability-router/tools-stack';
import { installForSpecs } from './external-variables.js';
import { runJest, type TestCounts } from './jest-run.js';
import { startScratchClusters } from './scratch-postgres.js';
import type { SpecFiles } from './spec-files.js';
import { runGroup, withStarted, type TestGroup } from './test-groups.js';

/**
 * Tests on one PostgreSQL cluster run one after another: a reader stops below the oldest open transaction of the whole
 * cluster, so a test that keeps one open on purpose would delay what every other test waits for. Each worker has a
 * cluster of its own, which `jest/own-cluster.ts` picks for it.
 */
const WORKERS = 3;
/** The acceptance suite runs beside these. */
const WORKERS_BESIDE_OTHERS = 1;
/** Milliseconds. */
const INTEGRATION_TIMEOUT_MS = 120_000;

type Env = Readonly<Record<string, string>>;

/** Every spec that needs a PostgreSQL and nothing else, on the newest version, out of the npm package. */
export function runPostgresSpecs(specs: SpecFiles): Promise<TestGroup> {
  return runGroup('parts on PostgreSQL', () =>
    withStarted(
      () => startScratchClusters(WORKERS),
      ({ url }) => runOn(url, specs.postgres),
    ),
  );
}

/**
 * On the machine's PostgreSQL, beside the other servers of the stack, which `env` names: the specs that need these, and
 * of those that need a database alone the ones that are marked `@postgres-versions`.
 */
export function runSpecsOnStack(specs: SpecFiles, env: Env): Promise<TestGroup> {
  return runGroup('parts on the real stack', async () => {
    const external = await installForSpecs();
    return runOnOtherVersion([...specs.stack, ...specs.everyPostgres], { ...env, ...external });
  });
}

/** Every spec that needs a PostgreSQL and nothing else, on the machine's: what `runSpecsOnStack` leaves out too. */
export function runPostgresSpecsOnOtherVersion(specs: SpecFiles, env: Env): Promise<TestGroup> {
  return runGroup("parts on the machine's PostgreSQL", () => runOnOtherVersion(specs.postgres, env));
}

function runOnOtherVersion(specFiles: readonly string[], env: Env): Promise<TestCounts> {
  return withStarted(startScratchCluster, (first) =>
    withStarted(startScratchCluster, (second) =>
      runOn(`${first.url},${second.url}`, specFiles, env, WORKERS_BESIDE_OTHERS),
    ),
  );
}

function runOn(url: string, specFiles: readonly string[], env: Env = {}, workers = WORKERS): Promise<TestCounts> {
  return runJest(specFiles, {
    workers,
    testTimeoutMs: INTEGRATION_TIMEOUT_MS,
    env: { ...env, TEST_POSTGRES_URL: url },
  });
}
