import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { createKafkaEventBus, silentLogger, type BroadcastListener, type EventBus } from '@capability-router/event-bus';
import { readRunningStack, startServices, type RunningServices, type StackState } from '@capability-router/tools-stack';
import { Books } from './books.js';
import { callOnce, Load, openAccounts, pause } from './load.js';

const REPLICAS = 2;
const CLIENTS = 16;
const ACCOUNTS = 16;
const CREDITS = 10_000;
/** Milliseconds between two calls of a client: load, but within the rate limits of the accounts. */
const CLIENT_PAUSE_MS = 40;
/** Milliseconds of load before and after the kill. */
const LOAD_AFTER_MS = 2_000;
const DEATH_TIMEOUT_MS = 60_000;
/** DESIGN: one minute after a restart no hold of a dead execution is open. */
const RECOVERY_TIMEOUT_MS = 60_000;

/** Where a process kills itself with SIGKILL, once the point was passed some times under load. */
const scenarios = [
  { service: 'execution', point: 'after-start', after: 30 },
  { service: 'execution', point: 'after-hold', after: 30 },
  { service: 'execution', point: 'after-provider-call', after: 30 },
  { service: 'execution', point: 'after-commit', after: 30 },
  { service: 'execution', point: 'before-publish', after: 5 },
  { service: 'execution', point: 'after-publish', after: 5 },
  { service: 'billing', point: 'before-publish', after: 5 },
  { service: 'billing', point: 'after-publish', after: 5 },
  { service: 'billing', point: 'after-effect', after: 10 },
] as const;

describe('kill -9 under load on the real stack', () => {
  let stack: StackState;
  let services: RunningServices;
  let books: Books;
  let bus: EventBus;
  let listener: BroadcastListener;
  const published = new Set<string>();

  beforeAll(async () => {
    stack = readRunningStack();
    services = await startServices({ stack, replicas: REPLICAS });
    books = new Books(stack);
    bus = createKafkaEventBus({ brokers: [...stack.kafkaBrokers], clientId: 'fault-tests', logger: silentLogger });
    listener = bus.broadcastListener();
    await listener.listen([topicNames.ledgerEntries], (event) => {
      published.add(String((event.data as { entryId?: unknown }).entryId));
    });
  }, 180_000);

  afterAll(async () => {
    await listener.close();
    await bus.stop();
    await books.close();
    await services.stop();
  }, 120_000);

  it.each(scenarios)(
    'of $service $point loses nothing, charges nothing twice, and leaves no execution or hold open',
    async ({ service, point, after }) => {
      const origin = services.gatewayUrls[0] ?? '';
      const startedMs = Date.now();
      const accounts = await openAccounts(origin, services.accounts.admin_key, ACCOUNTS, CREDITS);
      const ids = accounts.map(({ accountId }) => accountId);
      // The only way to have a relay or a consumer at a known point is to have one process that can hold it.
      const victim = services.replica(service, 0);
      await services.replica(service, 1).stop();
      await victim.stop();
      await victim.start({ FAULTS_ENABLED: 'true', FAULT_POINT: point, FAULT_AFTER_CALLS: String(after) });

      const load = new Load(services.gatewayUrls, accounts, CLIENT_PAUSE_MS, callOnce);
      load.start(CLIENTS);
      await victim.ended(DEATH_TIMEOUT_MS);
      await pause(LOAD_AFTER_MS);
      await services.startReplica(service, 0);
      await services.startReplica(service, 1);
      await pause(LOAD_AFTER_MS);
      await load.stop();

      await recovered(ids);
      const [ends, charges, audited] = await Promise.all([books.ends(ids), books.charges(ids), books.audited(ids)]);
      const billed = new Map([...ends].filter(([, end]) => end.billMicro > 0n).map(([id, end]) => [id, end.billMicro]));
      expect(charges).toEqual(billed);
      expect(audited).toEqual(
        new Map([...ends].filter(([, end]) => end.audited).map(([id, end]) => [id, end.billMicro])),
      );
      for (const outcome of load.outcomes.filter(({ success }) => success === true)) {
        expect(charges.get(outcome.executionId ?? '')).toBe(BigInt(Math.round((outcome.listAmountCredits ?? 0) * 1e6)));
      }
      // What was answered as failed or refused was not charged; an unknown outcome may have been either.
      for (const outcome of load.outcomes.filter(({ status, success }) => success === false && (status ?? 500) < 500)) {
        expect(charges.has(outcome.executionId ?? '')).toBe(false);
      }
      const answered = load.outcomes.filter(({ success }) => success === true).length;
      expect(answered).toBeGreaterThan(CLIENTS);
      expect(await books.invariants()).toEqual([]);
      await everyEntryPublished(ids);
      expect(await books.disagreements(startedMs)).toEqual([]);
    },
  );

  async function recovered(ids: readonly string[]): Promise<void> {
    const deadline = performance.now() + RECOVERY_TIMEOUT_MS;
    for (;;) {
      const [openHolds, running, ends, audited] = await Promise.all([
        books.openHolds(ids),
        books.running(ids),
        books.ends(ids),
        books.audited(ids),
      ]);
      const state = {
        openHolds,
        running,
        unsettled: [...ends.values()].filter((end) => end.audited).length - audited.size,
      };
      if (openHolds === 0 && running === 0 && state.unsettled === 0) return;
      if (performance.now() > deadline) expect(state).toEqual({ openHolds: 0, running: 0, unsettled: 0 });
      await pause(500);
    }
  }

  async function everyEntryPublished(ids: readonly string[]): Promise<void> {
    const deadline = performance.now() + RECOVERY_TIMEOUT_MS;
    for (;;) {
      const missing = (await books.entryIds(ids)).filter((id) => !published.has(id));
      if (missing.length === 0) return;
      if (performance.now() > deadline) expect(missing).toEqual([]);
      await pause(250);
    }
  }
});
