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

/** The specs that need servers of the stack, which `env` names. */
export function runSpecsOnStack(specs: SpecFiles, env: Env): Promise<TestGroup> {
  return runGroup('parts on the real stack', async () => {
    const external = await installForSpecs();
    return withStarted(startScratchCluster, ({ url }) =>
      runOn(url, specs.stack, { ...env, ...external }, WORKERS_BESIDE_OTHERS),
    );
  });
}

/** The specs that need a PostgreSQL and nothing else and are marked `@postgres-versions`, on the machine's. */
export function runSpecsOnOtherVersion({ everyPostgres }: SpecFiles, env: Env): Promise<TestGroup> {
  return runGroup("marked parts on the machine's PostgreSQL", () => runOnOtherVersion(everyPostgres, env));
}

/** Every spec that needs a PostgreSQL and nothing else, on the machine's. */
export function runPostgresSpecsOnOtherVersion({ postgres }: SpecFiles, env: Env): Promise<TestGroup> {
  return runGroup("parts on the machine's PostgreSQL", () => runOnOtherVersion(postgres, env));
}

function runOnOtherVersion(specFiles: readonly string[], env: Env): Promise<TestCounts> {
  return withStarted(
    () => startScratchClusters(WORKERS, startScratchCluster),
    ({ url }) => runOn(url, specFiles, env),
  );
}

function runOn(url: string, specFiles: readonly string[], env: Env = {}, workers = WORKERS): Promise<TestCounts> {
  return runJest(specFiles, {
    workers,
    testTimeoutMs: INTEGRATION_TIMEOUT_MS,
    env: { ...env, TEST_POSTGRES_URL: url },
  });
}
