import { basename } from 'node:path';
import {
  kafkaLibrariesFolder,
  quickRecovery,
  startServices,
  startStack,
  stopRecordedServices,
  standDirectory,
  stopStack,
  type StackState,
} from '@capability-router/tools-stack';
import { runJest, type TestCounts } from './jest-run.js';
import { countGroup, withStarted } from './test-groups.js';

/** Milliseconds; a fault test waits for leases to lapse and for holds to be released. */
const FAULT_TIMEOUT_MS = 600_000;
/**
 * Sets of servers and services on which fault tests run side by side. One set leaves two processors idle for half of the
 * time, since its tests wait for leases, sessions and starts.
 */
const STANDS = 2;

type Env = Readonly<Record<string, string>>;

/** A set of PostgreSQL, Redis, Kafka and two replicas of each service, which one spec file at a time may break. */
interface FaultStand {
  /** What tells a spec file of it. */
  readonly env: Env;
  stop(): Promise<void>;
}

/**
 * Each fault test on a set of services of its own while it runs, which it stops and starts as it needs: the first set stands
 * on `stack`, the others on servers of their own below its directory. `env`: what makes the tests play more than in every
 * run.
 */
export async function runFaultTests(
  specFiles: readonly string[],
  stack: StackState,
  env: Env = {},
): Promise<TestCounts> {
  const waiting = inOrder(specFiles);
  // One download serves all brokers.
  process.env['KAFKA_LIBS_DIR'] = kafkaLibrariesFolder(stack.directory);
  const stands = Array.from({ length: Math.min(STANDS, waiting.length) }, (_, index) => async () => {
    const counts: TestCounts[] = [];
    await withStarted(
      () => (index === 0 ? standOn(stack) : standBeside(stack, index + 1)),
      async (stand) => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const all = { ...env, ...stand.env };
          counts.push(await runJest([next], { workers: 1, testTimeoutMs: FAULT_TIMEOUT_MS, env: all }));
        }
      },
    );
    return counts;
  });
  const ended = await Promise.allSettled(stands.map((play) => play()));
  const counts = ended.map((end) => {
    if (end.status === 'fulfilled') return countGroup(end.value);
    console.error(end.reason);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  return countGroup(counts);
}

async function standOn(stack: StackState): Promise<FaultStand> {
  await startServices(quickRecovery(stack));
  return {
    env: { STACK_DIR: stack.directory },
    // By what is recorded, since the tests have started most of them anew.
    stop: () => stopRecordedServices(stack.directory),
  };
}

async function standBeside(stack: StackState, number: number): Promise<FaultStand> {
  const directory = standDirectory(stack.directory, number);
  // `stack:down` finds it there when this process was killed.
  const stop = (): Promise<void> => stopStack({ directory, removeData: true });
  try {
    const { env } = await standOn(await startStack({ directory }));
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The order in which files are best begun: one that is long and begins last keeps the others waiting. */
const begunFirst = ['kill', 'outages', 'availability'];

function inOrder(specFiles: readonly string[]): string[] {
  const place = (path: string): number => {
    const found = begunFirst.indexOf(basename(path, '.fault.spec.ts'));
    return found === -1 ? begunFirst.length : found;
  };
  return [...specFiles].sort((one, other) => place(one) - place(other));
}
