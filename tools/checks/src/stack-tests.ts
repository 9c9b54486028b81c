import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  booksEnvironment,
  readRunningStack,
  startServices,
  startStack,
  stopStack,
  type RunningServices,
  type StackState,
} from '@capability-router/tools-stack';
import { companySignIn } from './company-sign-in.js';
import { runFaultTests } from './fault-tests.js';
import { runJest } from './jest-run.js';
import { findSpecFiles, type SpecFiles } from './spec-files.js';
import { runSpecsOnOtherVersion, runSpecsOnStack } from './postgres-tests.js';
import {
  ACCEPTANCE_TIMEOUT_MS,
  ACCEPTANCE_WORKERS,
  chromiumEnv,
  publishedTools,
  roomyLimits,
  roomyLists,
  roomyTrials,
  stdioServer,
} from './standalone-tests.js';
import { runGroup, withStarted, type TestGroup } from './test-groups.js';

const REPLICAS = 2;
const PEPPER_BYTES = 32;

/** Mail is written into files, as on a standalone, where tests read it. */
const mailDir = join(tmpdir(), `capability-router-mails-${process.pid}`);
const mailIntoFiles = {
  MAIL_URL: pathToFileURL(mailDir).href,
  MAIL_FROM: 'Capability Router <no-reply@localhost>',
  IDENTITY_PEPPER: randomBytes(PEPPER_BYTES).toString('hex'),
};

const log = (line: string): void => {
  console.log(line);
};

/** Parts on real servers, the acceptance suite on two replicas of each service, and the fault tests. */
export async function runStackTests(): Promise<readonly TestGroup[]> {
  const specs = await findSpecFiles();
  return onStack((stack) => testOn(stack, specs));
}

/** The fault tests with those scenarios that `runStackTests` leaves out. */
export async function runEveryFaultTest(): Promise<readonly TestGroup[]> {
  const { faults } = await findSpecFiles();
  return onStack(async (stack) => [
    await runGroup('faults, the rare ones too', () => runFaultTests(faults, stack, { TEST_LONG: 'true' })),
  ]);
}

export interface TortureOptions {
  /** 0: each fault that is chosen once. */
  readonly minutes: number;
  readonly seed: number;
  /** Parts of names; empty for all faults. */
  readonly only: readonly string[];
  /** The file that gets the report. */
  readonly report: string;
}

/** The faults of the spec on availability, in a random order for as long as it is told, or those that are chosen once. */
export async function runTorture({ minutes, seed, only, report }: TortureOptions): Promise<readonly TestGroup[]> {
  const { faults } = await findSpecFiles();
  const spec = faults.filter((path) => path.endsWith('/availability.fault.spec.ts'));
  const env = {
    TORTURE_MINUTES: String(minutes),
    TORTURE_SEED: String(seed),
    TORTURE_ONLY: only.join('\n'),
    TORTURE_REPORT: report,
  };
  const name = minutes === 0 ? 'torture, each fault once' : `torture of ${minutes} minutes, seed ${seed}`;
  return onStack(async (stack) => [await runGroup(name, () => runFaultTests(spec, stack, env))]);
}

/** On the stack that runs, or on one that is stopped afterwards. */
export async function onStack(
  test: (stack: StackState) => Promise<readonly TestGroup[]>,
): Promise<readonly TestGroup[]> {
  const wasRunning = stackRuns();
  // The broker is started and ended so often, and has so little to do, that better code does not pay for its making.
  process.env['JDK_JAVA_OPTIONS'] ??= '-XX:TieredStopAtLevel=1';
  try {
    return await test(await startStack({ log }));
  } catch (error) {
    console.error(error);
    const counts = { passed: 0, failed: 1, skipped: 0 };
    return [{ name: 'start of PostgreSQL, Redis and Kafka', counts, seconds: 0, processorSeconds: 0 }];
  } finally {
    await rm(mailDir, { recursive: true, force: true });
    if (!wasRunning) await stopStack({ log });
  }
}

/** Every service in two replicas, as the acceptance suite and the fuzzer meet them. `gateway`: variables of the gateway, over its usual ones. */
export async function startReplicas(
  stack: StackState,
  gateway: Readonly<Record<string, string>> = {},
): Promise<{ readonly env: Readonly<Record<string, string>>; stop(): Promise<void> }> {
  const company = await companySignIn();
  const services = await startServices({
    stack,
    replicas: REPLICAS,
    serviceEnv: {
      gateway: { ...roomyLimits, ...publishedTools, ...company.settings, ...gateway },
      identity: { ...roomyTrials, ...mailIntoFiles, ...company.settings },
      billing: roomyLists,
      registry: stdioServer,
      execution: stdioServer,
    },
    log,
  });
  return { env: { ...acceptanceEnv(services, stack), ...company.env }, stop: () => services.stop() };
}

async function testOn(stack: StackState, specs: SpecFiles): Promise<readonly TestGroup[]> {
  const env = {
    TEST_POSTGRES_URL: stack.postgresUrl,
    TEST_REDIS_URL: stack.redisUrl,
    TEST_KAFKA_BROKERS: stack.kafkaBrokers.join(','),
  };
  const acceptance = (): Promise<TestGroup> =>
    runGroup(`acceptance on ${REPLICAS} replicas of each service`, () =>
      withStarted(
        () => startReplicas(stack),
        (replicas) =>
          runJest([...specs.acceptance, ...specs.browser], {
            workers: ACCEPTANCE_WORKERS,
            testTimeoutMs: ACCEPTANCE_TIMEOUT_MS,
            env: { ...replicas.env, ...chromiumEnv() },
          }),
      ),
    );
  // Side by side, since either waits for servers for half of its time; each has databases, topics and services of its own.
  const [parts, others] = await Promise.all([
    runSpecsOnStack(specs, env),
    acceptance().then(async (answered) => [answered, await runSpecsOnOtherVersion(specs, env)]),
  ]);
  const groups = [parts, ...others];
  if (specs.faults.length === 0) return groups;
  const faults = await runGroup('faults', () => runFaultTests(specs.faults, stack));
  return [...groups, faults];
}

function acceptanceEnv({ gatewayUrls, accounts }: RunningServices, stack: StackState): Record<string, string> {
  return {
    ...booksEnvironment(stack),
    // A rebuild of a projection makes tables.
    BILLING_DATABASE_OWNER_URL: stack.databases.billing.ownerUrl,
    ACCEPTANCE_MAIL_DIR: mailDir,
    ACCEPTANCE_BASE_URL: gatewayUrls.join(','),
    ACCEPTANCE_API_KEY: accounts.api_key,
    ACCEPTANCE_ADMIN_KEY: accounts.admin_key,
  };
}

function stackRuns(): boolean {
  try {
    readRunningStack();
    return true;
  } catch {
    return false;
  }
}
