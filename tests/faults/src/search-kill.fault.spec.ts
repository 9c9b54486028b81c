import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectAgreement } from './aftermath.js';
import { Load, pause } from './load.js';
import { ofThisRun } from './long-run.js';
import { expectSearchesChargedOnce, searchesRecovered } from './search-aftermath.js';
import { SearchBooks } from './search-books.js';
import { searchOnce, type SearchOutcome } from './search-load.js';
import { dying, HOOK_TIMEOUT_MS, Stand } from './stand.js';

const CLIENTS = 8;
const ACCOUNTS = 8;
/** Milliseconds between two requests of a client: load, but one that leaves a service on the same machine time to start. */
const CLIENT_PAUSE_MS = 80;
/** Milliseconds of load before a kill from outside. */
const LOAD_MS = 1_000;
const DEATH_TIMEOUT_MS = 180_000;
const PRICE_CREDITS = '0.25';
const PRICE_MICRO = 250_000n;

/**
 * With a point, the process kills itself there; without one it is killed at whatever it does. Published is by the replica
 * that leads the relay: only alone can the victim be sure to. The relay is that of execution and billing, which die there
 * in every run (`kill`). The order spares starts, of which each takes long.
 */
const scenarios = ofThisRun([
  { searches: 'free', price: '0', where: 'at any moment', point: undefined, after: 0, alone: false },
  {
    searches: 'billed',
    price: PRICE_CREDITS,
    where: 'at any moment',
    point: undefined,
    after: 0,
    alone: false,
    rare: true,
  },
  {
    searches: 'billed',
    price: PRICE_CREDITS,
    where: 'after the hold',
    point: 'after-search-hold',
    after: 30,
    alone: false,
  },
  {
    searches: 'billed',
    price: PRICE_CREDITS,
    where: 'after publishing',
    point: 'after-publish',
    after: 5,
    alone: true,
    rare: true,
  },
] as const);

describe('kill -9 of a registry replica under searches on the real stack', () => {
  let stand: Stand;
  let searches: SearchBooks;
  let load: Load<SearchOutcome>;

  beforeAll(async () => {
    stand = await Stand.open();
    searches = new SearchBooks(stand.stack);
  }, HOOK_TIMEOUT_MS);

  afterEach(() => load.stop());

  afterAll(async () => {
    await searches.close();
    await stand.close();
  }, HOOK_TIMEOUT_MS);

  it.each(scenarios)(
    'with $searches searches, killed $where: one audit row for each answered, one charge for each billed, no open hold',
    async ({ price, point, after, alone }) => {
      const priced = price === '0' ? {} : { SEARCH_PRICE_CREDITS: price };
      const healthy = { 'registry 0': priced, 'registry 1': priced };
      await stand.arrange({
        'registry 0': point === undefined ? priced : dying(point, after, priced),
        'registry 1': alone ? 'stopped' : priced,
      });
      const accounts = await stand.openAccounts(ACCOUNTS);
      const ids = accounts.map(({ accountId }) => accountId);
      load = new Load(stand.origins, accounts, CLIENT_PAUSE_MS, searchOnce);
      load.start(CLIENTS);
      if (point === undefined) {
        await pause(LOAD_MS);
        await stand.services.killReplica('registry', 0);
      } else await stand.services.replica('registry', 0).ended(DEATH_TIMEOUT_MS);
      await stand.arrange(healthy);
      await load.more(CLIENTS + 1, ({ kind, total }) => kind === 'search' && (total ?? 0) > 0);
      await load.more(1, ({ kind, status, total }) => kind === 'search' && status === 200 && total === 0);
      await load.stop();

      await searchesRecovered(stand.books, searches, ids);
      const { recorded, audited, charges } = await expectSearchesChargedOnce(searches, ids);
      const holds = await searches.holds(ids);
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
    },
  );

  it('leaves books that agree after all of it', () => expectAgreement(stand));
});
