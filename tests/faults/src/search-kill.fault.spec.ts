import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRunningStack, startServices, type RunningServices, type StackState } from '@capability-router/tools-stack';
import { Books } from './books.js';
import { HOOK_TIMEOUT_MS, Load, openAccounts, pause } from './load.js';
import { SearchBooks } from './search-books.js';
import { searchOnce } from './search-load.js';

const REPLICAS = 2;
const CLIENTS = 16;
const ACCOUNTS = 16;
const CREDITS = 10_000;
/** Milliseconds between two requests of a client: load, but one that leaves a service on the same machine time to start. */
const CLIENT_PAUSE_MS = 80;
/** Milliseconds of load before a kill from outside, and after each kill. */
const LOAD_MS = 2_000;
const DEATH_TIMEOUT_MS = 180_000;
/** As for executions: a minute after a restart nothing of the dead is open; the rest is for a busy machine. */
const RECOVERY_TIMEOUT_MS = 180_000;
const PRICE_CREDITS = '0.25';
const PRICE_MICRO = 250_000n;

/** Requests of 16 accounts at full speed are beyond what an account may send by default. */
const noLimits = { RATE_LIMIT_DISCOVER: '1000000', RATE_LIMIT_INSPECT: '1000000' };

/** With a point, the process kills itself there; without one it is killed at whatever it does. */
const scenarios = [
  { searches: 'billed', price: PRICE_CREDITS, where: 'after the hold', point: 'after-search-hold', after: 60 },
  { searches: 'billed', price: PRICE_CREDITS, where: 'after publishing', point: 'after-publish', after: 5 },
  { searches: 'billed', price: PRICE_CREDITS, where: 'at any moment', point: undefined, after: 0 },
  { searches: 'free', price: '0', where: 'at any moment', point: undefined, after: 0 },
] as const;

describe('kill -9 of a registry replica under searches on the real stack', () => {
  let stack: StackState;
  let services: RunningServices;
  let books: Books;
  let searches: SearchBooks;

  beforeAll(async () => {
    stack = readRunningStack();
    services = await startServices({ stack, replicas: REPLICAS, serviceEnv: { gateway: noLimits } });
    books = new Books(stack);
    searches = new SearchBooks(stack);
  }, HOOK_TIMEOUT_MS);

  afterAll(async () => {
    await Promise.all([books.close(), searches.close()]);
    await services.stop();
  }, HOOK_TIMEOUT_MS);

  it.each(scenarios)(
    'with $searches searches, killed $where: one audit row for each answered, one charge for each billed, no open hold',
    async ({ price, point, after }) => {
      const env = { SEARCH_PRICE_CREDITS: price };
      const [first, second] = [services.replica('registry', 0), services.replica('registry', 1)];
      await Promise.all([first.stop(), second.stop()]);
      await second.start(env);
      await first.start(
        point === undefined
          ? env
          : { ...env, FAULTS_ENABLED: 'true', FAULT_POINT: point, FAULT_AFTER_CALLS: String(after) },
      );
      // The lease of the relay is the other's, which came first; only alone can the victim come to this point.
      if (point === 'after-publish') await second.stop();
      const startedMs = Date.now();
      const accounts = await openAccounts(
        services.gatewayUrls[0] ?? '',
        services.accounts.admin_key,
        ACCOUNTS,
        CREDITS,
      );
      const ids = accounts.map(({ accountId }) => accountId);

      const load = new Load(services.gatewayUrls, accounts, CLIENT_PAUSE_MS, searchOnce);
      load.start(CLIENTS);
      if (point === undefined) {
        await pause(LOAD_MS);
        await services.killReplica('registry', 0);
      } else await first.ended(DEATH_TIMEOUT_MS);
      await pause(LOAD_MS);
      await services.startReplica('registry', 0, env);
      await services.startReplica('registry', 1, env);
      await pause(LOAD_MS);
      await load.more(CLIENTS + 1, ({ kind, total }) => kind === 'search' && (total ?? 0) > 0);
      await load.more(1, ({ kind, status, total }) => kind === 'search' && status === 200 && total === 0);
      await load.stop();

      await recovered(ids);
      const [recorded, audited, charges, holds] = await Promise.all([
        searches.recorded(ids),
        searches.audited(ids),
        searches.charges(ids),
        searches.holds(ids),
      ]);
      expect(audited).toEqual(new Map([...recorded].map(([id, { billMicro }]) => [id, billMicro])));
      const billed = [...recorded.values()].filter(({ billMicro }) => billMicro > 0n);
      expect(charges).toEqual(new Map(billed.map(({ searchId, billMicro }) => [searchId, billMicro])));
      expect(holds['open'] ?? 0).toBe(0);
      expect(holds['captured'] ?? 0).toBe(charges.size);

      const answered = load.outcomes.filter(({ kind, status }) => kind === 'search' && status === 200);
      const found = answered.filter(({ total }) => (total ?? 0) > 0);
      const usageEventIds = new Map([...recorded].map(([id, { searchId }]) => [searchId, id]));
      for (const { searchId, total } of answered) {
        const owed = price === '0' || total === 0 ? undefined : PRICE_MICRO;
        const usageEventId = usageEventIds.get(searchId ?? '') ?? 'none';
        expect([searchId, audited.get(usageEventId)]).toEqual([searchId, owed ?? 0n]);
        expect(charges.get(searchId ?? '')).toBe(owed);
      }
      expect(new Set(answered.map(({ searchId }) => searchId)).size).toBe(answered.length);
      // Searches that found something flowed, and such that did not.
      expect(found.length).toBeGreaterThan(CLIENTS);
      expect(answered.length).toBeGreaterThan(found.length);
      expect(await books.invariants()).toEqual([]);
      expect(await books.disagreements(startedMs)).toEqual([]);
    },
  );

  async function recovered(ids: readonly string[]): Promise<void> {
    const deadline = performance.now() + RECOVERY_TIMEOUT_MS;
    for (;;) {
      const [openHolds, recorded, audited, charges] = await Promise.all([
        books.openHolds(ids),
        searches.recorded(ids),
        searches.audited(ids),
        searches.charges(ids),
      ]);
      const billed = [...recorded.values()].filter(({ billMicro }) => billMicro > 0n).length;
      const state = { openHolds, unaudited: recorded.size - audited.size, uncharged: billed - charges.size };
      if (openHolds === 0 && state.unaudited === 0 && state.uncharged === 0) return;
      if (performance.now() > deadline) expect(state).toEqual({ openHolds: 0, unaudited: 0, uncharged: 0 });
      await pause(500);
    }
  }
});
