import type { TestCounts } from '../jest-run.js';
import { onStack, startReplicas } from '../stack-tests.js';
import { startStandalone } from '../standalone-process.js';
import { roomyTrials } from '../standalone-tests.js';
import { runGroup, withStarted, type TestGroup } from '../test-groups.js';
import { expectNothingLeft } from './aftermath.js';
import { descendants, stillRunning } from './processes.js';
import { playCases, type FuzzOptions } from './play-cases.js';
import { prepareKeys } from './keys.js';

/** All requests come from one sender: limits are tested elsewhere. */
const noLimits = {
  RATE_LIMIT_DISCOVER: '1000000',
  RATE_LIMIT_INSPECT: '1000000',
  RATE_LIMIT_PROBE: '1000000',
  RATE_LIMIT_CALL: '1000000',
  RATE_LIMIT_READ: '1000000',
  RATE_LIMIT_ANONYMOUS: '1000000',
  RATE_LIMIT_INVALID_KEY: '1000000',
};

interface Deployment {
  /** The variables that the acceptance suite has to know. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export const fuzzStandalone = async (options: FuzzOptions): Promise<readonly TestGroup[]> => [
  await runGroup(`fuzzing standalone, ${titleOf(options)}`, () =>
    fuzz(options, () => startStandalone({ ...noLimits, ...roomyTrials })),
  ),
];

/** On the stack that runs, or on one that is stopped afterwards. */
export const fuzzStack = (options: FuzzOptions): Promise<readonly TestGroup[]> =>
  onStack(async (stack) => [
    await runGroup(`fuzzing two replicas of each service, ${titleOf(options)}`, () =>
      fuzz(options, () => startReplicas(stack, noLimits)),
    ),
  ]);

const titleOf = ({ document, seed }: FuzzOptions): string => `the ${document} document, seed ${seed}`;

/** The requests, and what must hold after them. Each is one test: a failure of the requests is told by schemathesis. */
async function fuzz(options: FuzzOptions, start: () => Promise<Deployment>): Promise<TestCounts> {
  const startedAt = new Date();
  let played: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  // Servers of the stack were started before, and go on.
  const earlier = new Set(await descendants(process.pid));
  let processes: readonly number[] = [];
  const counts = await withStarted(start, async ({ env }) => {
    const keys = await prepareKeys(env, options.document);
    played = await playCases(options, env, keys);
    const left = await expectNothingLeft(env, keys, startedAt);
    processes = (await descendants(process.pid)).filter((pid) => !earlier.has(pid));
    return add(played, told('the books after the requests', left));
  });
  const running = await stillRunning(processes);
  return add(counts, told('processes after the deployment has stopped', running));
}

/** A finding is a failure, and is shown. */
function told(what: string, findings: readonly string[]): TestCounts {
  for (const finding of findings) console.error(`FAILED: ${what}: ${finding}`);
  return findings.length === 0
    ? { passed: 1, failed: 0, skipped: 0 }
    : { passed: 0, failed: findings.length, skipped: 0 };
}

const add = (one: TestCounts, other: TestCounts): TestCounts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
});
