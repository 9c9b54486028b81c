import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  killPart,
  readRunningStack,
  startPart,
  startServices,
  type RunningServices,
  type StackState,
} from '@capability-router/tools-stack';
import { expectAgreement, expectChargedOnce, recovered } from './aftermath.js';
import { Books } from './books.js';
import { callOnce, HOOK_TIMEOUT_MS, Load, openAccounts, pause, type CallOutcome } from './load.js';
import { PublishedEntries } from './published-entries.js';

const REPLICAS = 2;
const CLIENTS = 16;
const ACCOUNTS = 16;
const CREDITS = 10_000;
/** Milliseconds between two calls of a client: load, but one that leaves a server on the same machine time to start. */
const CLIENT_PAUSE_MS = 120;
/** Milliseconds of load before an outage, and at least during it and after it. */
const LOAD_MS = 2_000;
/** Calls that begin and end within an outage, at least. */
const CALLS_WITHIN = 2 * CLIENTS;
const WAIT_MS = 180_000;
/** Batches of settlement that are handled before one is held. */
const UNHARMED_BATCHES = 3;

/** How long an outage lasts depends on the machine: no account may run into its limit meanwhile. */
const noLimits = { RATE_LIMIT_CALL: '1000000' };

interface TimedOutcome extends CallOutcome {
  /** The gateway. */
  readonly origin: string;
  /** Milliseconds on the clock of this process. */
  readonly beganMs: number;
}

describe('the real stack under load of paid calls', () => {
  let stack: StackState;
  let services: RunningServices;
  let books: Books;
  let published: PublishedEntries;
  let ids: string[];
  let startedMs: number;
  let load: Load<TimedOutcome>;

  beforeAll(async () => {
    stack = readRunningStack();
    services = await startServices({ stack, replicas: REPLICAS, serviceEnv: { gateway: noLimits } });
    books = new Books(stack);
    published = await PublishedEntries.listen(stack);
  }, HOOK_TIMEOUT_MS);

  afterAll(async () => {
    await startPart(stack.directory, 'postgres');
    await startPart(stack.directory, 'kafka');
    await published.close();
    await books.close();
    await services.stop();
  }, HOOK_TIMEOUT_MS);

  beforeEach(async () => {
    startedMs = Date.now();
    const accounts = await openAccounts(services.gatewayUrls[0] ?? '', services.accounts.admin_key, ACCOUNTS, CREDITS);
    ids = accounts.map(({ accountId }) => accountId);
    load = new Load(services.gatewayUrls, accounts, CLIENT_PAUSE_MS, async (origin, account) => {
      const beganMs = performance.now();
      return { ...(await callOnce(origin, account)), origin, beganMs };
    });
  });

  afterEach(async () => {
    services.replica('billing', 0).goOn();
    await load.stop();
  });

  it('answers and charges every call while the broker is dead, and settles them when it is back', async () => {
    const before = identities();
    load.start(CLIENTS);
    await pause(LOAD_MS);
    await killPart(stack.directory, 'kafka');
    const deadMs = performance.now();
    await pause(LOAD_MS);
    await until('calls without a broker', () => within(load, deadMs).length >= CALLS_WITHIN);
    // Who balances by readiness must not take away the replicas that could answer.
    const ready = await Promise.all(services.replicas.map((replica) => replica.isReady()));
    const unanswered = within(load, deadMs).filter(({ success }) => success !== true);
    await startPart(stack.directory, 'kafka');
    await pause(LOAD_MS);
    await load.stop();

    expect(unanswered).toEqual([]);
    expect(ready).toEqual(services.replicas.map(() => true));
    await recovered(books, ids);
    await expectChargedOnce(books, ids, load.outcomes);
    expect(identities()).toEqual(before);
    await expectAgreement(books, published, ids, startedMs);
  });

  it('takes no call while the database is dead, and goes on by itself when it is back', async () => {
    const before = identities();
    load.start(CLIENTS);
    await pause(LOAD_MS);
    await killPart(stack.directory, 'postgres');
    const deadMs = performance.now();
    await pause(LOAD_MS);
    await until('calls without a database', () => within(load, deadMs).length >= CALLS_WITHIN);
    const during = within(load, deadMs);
    await startPart(stack.directory, 'postgres');
    const backMs = performance.now();
    await until('calls to each gateway that succeed', () => {
      const since = load.outcomes.filter(({ beganMs, success }) => beganMs > backMs && success === true);
      return services.gatewayUrls.every((url) => since.some(({ origin }) => origin === url));
    });
    await pause(LOAD_MS);
    await load.stop();

    expect(during.filter(({ status }) => status !== undefined && status < 500)).toEqual([]);
    expect(during.some(({ status }) => status === 503)).toBe(true);
    await recovered(books, ids);
    await expectChargedOnce(books, ids, load.outcomes);
    expect(identities()).toEqual(before);
    await expectAgreement(books, published, ids, startedMs);
  });

  it('settles once what a replica of billing had in hand that was held beyond its session and went on', async () => {
    const zombie = services.replica('billing', 0);
    load.start(CLIENTS);
    // Nothing done yet, or all of it but the commit.
    for (const point of ['before-effect', 'before-effect-commit'] as const) {
      await zombie.stop();
      // It may be held before it is ready.
      await zombie.launch({
        FAULTS_ENABLED: 'true',
        FAULT_POINT: point,
        FAULT_SIGNAL: 'SIGSTOP',
        FAULT_CONSUMER: 'billing.settlement',
        FAULT_AFTER_CALLS: String(UNHARMED_BATCHES),
      });
      await zombie.held(WAIT_MS);
      // Calls end that it cannot settle, behind its batch too: the other does when it has been given its partitions.
      await pause(LOAD_MS);
      const ends = [...(await books.ends(ids))].flatMap(([id, { audited }]) => (audited ? [id] : []));
      await until('the settlement by the other replica', async () => {
        const audited = await books.audited(ids);
        return ends.every((id) => audited.has(id));
      });
      zombie.goOn();
      if (point === 'before-effect') {
        await until('the fence', async () => (await fencedBatches(zombie.metricsUrl, 'billing.settlement')) > 0);
      }
      await pause(LOAD_MS);
    }
    await load.stop();

    await recovered(books, ids);
    await expectChargedOnce(books, ids, load.outcomes);
    await expectAgreement(books, published, ids, startedMs);
  });

  /** A process that ended and was started anew is another. */
  const identities = (): unknown[] => services.replicas.map((replica) => replica.isRunning() && replica.process);
});

/** What began at `sinceMs` or later and has been answered. */
function within(load: Load<TimedOutcome>, sinceMs: number): TimedOutcome[] {
  return load.outcomes.filter(({ beganMs }) => beganMs >= sinceMs);
}

async function until(what: string, done: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await done())) {
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await pause(100);
  }
}

async function fencedBatches(metricsUrl: string, group: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const samples = text.matchAll(/^event_batches_fenced_total\{([^}]*)\} (\d+)$/gm);
  return [...samples].reduce((sum, [, labels, n]) => sum + (labels?.includes(`group="${group}"`) ? Number(n) : 0), 0);
}
