import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJest } from './jest-run.js';
import { runPostgresSpecsOnOtherVersion } from './postgres-tests.js';
import { runNode } from './run-command.js';
import { startScratchClusters } from './scratch-postgres.js';
import { fuzzStack, fuzzStandalone } from './fuzz/fuzz-tests.js';
import { findSpecFiles } from './spec-files.js';
import { runEveryFaultTest } from './stack-tests.js';
import { runGroup, withStarted, type TestGroup } from './test-groups.js';
import { workspaceRoot } from './workspace.js';

/** 25 times what `npm test` plays; histories of commands and of holds become longer where it is set. */
const HISTORIES = '10000';
/** Milliseconds for one test. */
const HISTORIES_TIMEOUT_MS = 3_600_000;

/** Milliseconds for one tool. */
const COMPLEXITY_TIMEOUT_MS = 1_800_000;

/** Milliseconds for one test that names no time of its own. */
const LONG_RUN_TIMEOUT_MS = 900_000;

/** Another for each run; it is printed, and TEST_SEED plays it again. */
const seed = process.env['TEST_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31));

/** Cases of the fuzzer on each stack; in every run a thousand are played on standalone. */
const FUZZ_CASES = 10_000;

/** Tests that take too long for every change, or show more of the same: `docs/contributing/testing.md` lists it. */
export async function runLongTests(): Promise<readonly TestGroup[]> {
  const specs = await findSpecFiles();
  const randomEnv = { TEST_SEED: seed };
  const fuzzed = { cases: FUZZ_CASES, seed: Number(seed) };
  console.log(`TEST_SEED=${seed}`);
  return [
    await runGroup('random values and histories, with a seed of their own', () =>
      runJest(
        specs.selfContained.filter((path) => /\/(any-rule|truncation)\.unit\.spec\.ts$|\.sim\.spec\.ts$/.test(path)),
        { workers: 1, testTimeoutMs: HISTORIES_TIMEOUT_MS, env: randomEnv },
      ),
    ),
    await runPostgresSpecsOnOtherVersion(specs, randomEnv),
    await runGroup(`random histories of money, ${HISTORIES} of them`, () =>
      withStarted(
        () => startScratchClusters(1),
        ({ url }) =>
          runJest(
            specs.postgres.filter((path) => /\/(histories|money|hold-groups)\.sim\.spec\.ts$/.test(path)),
            {
              workers: 1,
              testTimeoutMs: HISTORIES_TIMEOUT_MS,
              env: { TEST_POSTGRES_URL: url, TEST_HISTORIES: HISTORIES, ...randomEnv },
            },
          ),
      ),
    ),
    await runGroup('CPU time of built-in tools over every hostile shape', () =>
      runJest(specs.measuringTime, {
        workers: 1,
        testTimeoutMs: COMPLEXITY_TIMEOUT_MS,
        env: { TEST_COMPLEXITY: 'thorough' },
      }),
    ),
    ...(await runEveryFaultTest()),
    await runGroup('what takes too long for every run', () =>
      runJest(specs.longRun, { workers: 1, testTimeoutMs: LONG_RUN_TIMEOUT_MS }),
    ),
    ...(await fuzzStandalone({ document: 'public', ...fuzzed })),
    ...(await fuzzStandalone({ document: 'admin', ...fuzzed })),
    ...(await fuzzStack({ document: 'public', ...fuzzed })),
    ...(await fuzzStack({ document: 'admin', ...fuzzed })),
    await runGroup('search evaluation among 100,000 tools', evaluateSearch),
    await runGroup('a model that is made adds to the search', evaluateModel),
  ];
}

/** With Python and PyPI. It fails where the search is not better with the model than without. */
async function evaluateModel(): Promise<TestGroup['counts']> {
  const scratch = await mkdtemp(join(tmpdir(), 'embedding-model-'));
  try {
    const made = await runNode(['tools/embedding-model/dist/main.js', scratch], { inherit: true });
    const bench = ['tools/search-bench/dist/main.js', `--model=${scratch}`];
    const passed = made.exitCode === 0 && (await runNode(bench, { inherit: true })).exitCode === 0;
    return passed ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The labelled queries are no part of the repository: without them the evaluation counts as failed, and says so. */
async function evaluateSearch(): Promise<TestGroup['counts']> {
  const folder = process.env['SEARCH_EVAL_DIR'] ?? join(workspaceRoot, '../shared/search-eval');
  if (!existsSync(folder)) {
    console.error(`there are no labelled queries in ${folder}: name their folder in SEARCH_EVAL_DIR`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const { exitCode } = await runNode(['--expose-gc', 'tools/search-bench/dist/main.js', '--eval-data', '--no-report'], {
    inherit: true,
    env: { SEARCH_EVAL_DIR: folder },
  });
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}
