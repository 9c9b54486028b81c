import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { killPart, startPart } from '@capability-router/tools-stack';
import { expectAgreement, expectChargedOnce, recovered } from './aftermath.js';
import { credits, readersOf, search, type ReadOutcome } from './availability/reads.js';
import { callOnce, Load, pause, type CallOutcome } from './load.js';
import { HOOK_TIMEOUT_MS, Stand } from './stand.js';

const CLIENTS = 8;
/** So many that whichever half of the partitions a replica is given holds some of them. */
const ACCOUNTS = 24;
/** Milliseconds between two calls of a client: load, but one that leaves a server on the same machine time to start. */
const CLIENT_PAUSE_MS = 250;
/** Milliseconds of load before an outage, and at least during it and after it. */
const LOAD_MS = 1_000;
/** Calls that begin and end within an outage, at least. */
const CALLS_WITHIN = 2 * CLIENTS;
const WAIT_MS = 180_000;
/** Batches of settlement that are handled before one is held. */
const UNHARMED_BATCHES = 3;

interface TimedOutcome extends CallOutcome {
  /** The gateway. */
  readonly origin: string;
  /** Milliseconds on the clock of this process. */
  readonly beganMs: number;
}

describe('the real stack under load of paid calls', () => {
  let stand: Stand;
  let ids: string[];
  let load: Load<TimedOutcome>;
  let readers: Load<ReadOutcome> | undefined;

  beforeAll(async () => {
    stand = await Stand.open();
  }, HOOK_TIMEOUT_MS);

  afterAll(async () => {
    await startPart(stand.stack.directory, 'postgres');
    await startPart(stand.stack.directory, 'kafka');
    await stand.close();
  }, HOOK_TIMEOUT_MS);

  beforeEach(async () => {
    await stand.arrange();
    const accounts = await stand.openAccounts(ACCOUNTS);
    ids = accounts.map(({ accountId }) => accountId);
    load = new Load(stand.origins, accounts, CLIENT_PAUSE_MS, async (origin, account) => {
      const beganMs = performance.now();
      return { ...(await callOnce(origin, account)), origin, beganMs };
    });
  });

  afterEach(async () => {
    stand.services.replica('billing', 0).goOn();
    await Promise.all([load.stop(), readers?.stop()]);
  });

  it('answers and charges every call while the broker is dead, and settles them when it is back', async () => {
    const before = identities();
    load.start(CLIENTS);
    await pause(LOAD_MS);
    await killPart(stand.stack.directory, 'kafka');
    const deadMs = performance.now();
    await pause(LOAD_MS);
    await until('calls without a broker', () => within(load, deadMs).length >= CALLS_WITHIN);
    // Who balances by readiness must not take away the replicas that could answer.
    const ready = await Promise.all(stand.services.replicas.map((replica) => replica.isReady()));
    const unanswered = within(load, deadMs).filter(({ success }) => success !== true);
    await startPart(stand.stack.directory, 'kafka');
    await pause(LOAD_MS);
    await load.stop();

    expect(unanswered).toEqual([]);
    expect(ready).toEqual(stand.services.replicas.map(() => true));
    await recovered(stand.books, ids);
    await expectChargedOnce(stand.books, ids, load.outcomes);
    expect(identities()).toEqual(before);
  });

  it('takes no call and serves no read while the database is dead, says so with 503, and goes on by itself when it is back', async () => {
    const before = identities();
    const reads = [search, credits];
    readers = readersOf(stand.origins, await stand.openAccounts(1), reads);
    readers.start(CLIENTS / 2);
    load.start(CLIENTS);
    await pause(LOAD_MS);
    await killPart(stand.stack.directory, 'postgres');
    const deadMs = performance.now();
    await pause(LOAD_MS);
    await until('calls without a database', () => within(load, deadMs).length >= CALLS_WITHIN);
    const during = within(load, deadMs);
    await readers.more(CLIENTS, isAway);
    await startPart(stand.stack.directory, 'postgres');
    const backMs = performance.now();
    await until('calls to each gateway that succeed', () => {
      const since = load.outcomes.filter(({ beganMs, success }) => beganMs > backMs && success === true);
      return stand.origins.every((url) => since.some(({ origin }) => origin === url));
    });
    await readers.more(CLIENTS, ({ status }) => status === 200);
    await pause(LOAD_MS);
    await Promise.all([load.stop(), readers.stop()]);

    expect(during.filter(({ status }) => status !== undefined && status < 500)).toEqual([]);
    expect(during.some(({ status }) => status === 503)).toBe(true);
    // Reads say that they may be sent again, at the moment of the kill too.
    expect(readers.outcomes.filter((read) => read.status !== 200 && !isAway(read))).toEqual([]);
    expect(new Set(readers.outcomes.filter(isAway).map(({ path }) => path))).toEqual(
      new Set(reads.map(({ path }) => path)),
    );
    await recovered(stand.books, ids);
    await expectChargedOnce(stand.books, ids, load.outcomes);
    expect(identities()).toEqual(before);
  });

  it('settles once what a replica of billing had in hand that was held beyond its session and went on', async () => {
    const zombie = stand.services.replica('billing', 0);
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
      const ends = [...(await stand.books.ends(ids))].flatMap(([id, { audited }]) => (audited ? [id] : []));
      await until('the settlement by the other replica', async () => {
        const audited = await stand.books.audited(ids);
        return ends.every((id) => audited.has(id));
      });
      zombie.goOn();
      if (point === 'before-effect') {
        await until('the fence', async () => (await fencedBatches(zombie.metricsUrl, 'billing.settlement')) > 0);
      }
      await pause(LOAD_MS);
    }
    await load.stop();

    await recovered(stand.books, ids);
    await expectChargedOnce(stand.books, ids, load.outcomes);
  });

  it('leaves books that agree after all of it', () => expectAgreement(stand));

  /** A process that ended and was started anew is another. */
  const identities = (): unknown[] => stand.services.replicas.map((replica) => replica.isRunning() && replica.process);
});

/** 503, and when to come back. */
const isAway = ({ status, retryAfter }: ReadOutcome): boolean => status === 503 && /^\d+$/.test(retryAfter ?? '');

/** The calls that began at `sinceMs` or later and have been answered. */
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
