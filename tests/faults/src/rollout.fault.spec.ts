/** @long-run It assembles seven images, starts a stack of its own, and replaces twelve pods one by one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assemble } from '@capability-router/tools-image';
import { startStack, stopStack, type StackState } from '@capability-router/tools-stack';
import { expectAgreement, expectChargedOnce, recovered } from './aftermath.js';
import { capabilities, credits, readersOf, unservedReads, type Read } from './availability/reads.js';
import { Books } from './books.js';
import { callOnce, Load, openAccounts, type LoadAccount } from './load.js';
import { Release } from './pods/release.js';
import { PublishedEntries } from './published-entries.js';
import { expectSearchesChargedOnce, searchesRecovered } from './search-aftermath.js';
import { SearchBooks } from './search-books.js';
import { searchOnce } from './search-load.js';

/** Milliseconds. */
const START_TIMEOUT_MS = 600_000;
const LIMIT_MS = 900_000;
const CALLERS = 3;
const CLIENT_PAUSE_MS = 100;
const CREDITS = 10_000;
/** A capability in place of a tool: capability routing has execution run what it chooses. */
const query: Read = {
  path: '/api/v1/capabilities/query',
  body: {
    capability_id: 'geo.distance',
    parameters: { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 },
    max_credits: 1,
  },
};
const READS = [query, capabilities, credits];
/** The chart runs them; `operator` is its Job and its test. */
const TARGETS = ['gateway', 'registry', 'execution', 'capability-routing', 'billing', 'identity', 'operator'];

/**
 * The objects that `helm template` makes are executed where there is no cluster: each container's command and environment, as its user, from
 * its image's root file system alone, with its probes, its grace period and the strategy of its Deployment. `pods/cluster.ts` plays the
 * cluster, as far as a pod notices it.
 */
describe('the pods of the chart', () => {
  const sinceMs = Date.now();
  const accounts: LoadAccount[] = [];
  let stack: StackState;
  let release: Release;
  let books: Books;
  let searchBooks: SearchBooks;
  let published: PublishedEntries;

  /** Stops everything that was started, whatever failed. */
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'rollout-'));
    closers.push(() => rm(scratch, { recursive: true, force: true }));
    const images = (target: string): string => join(scratch, target);
    for (const target of TARGETS) await assemble(target, images(target));
    const directory = join(scratch, 'stack');
    closers.push(() => stopStack({ directory }));
    stack = await startStack({ directory, migrations: false });
    books = new Books(stack);
    closers.push(() => books.close());
    searchBooks = new SearchBooks(stack);
    closers.push(() => searchBooks.close());
    release = await Release.render(stack, images);
    closers.push(() => release.stop());
  }, START_TIMEOUT_MS);

  afterAll(async () => {
    for (const close of closers.reverse()) await close();
  }, START_TIMEOUT_MS);

  it(
    'come from empty databases to a paid call of `helm test`',
    async () => {
      await release.prepare();
      await release.start();
      published = await PublishedEntries.listen(stack);
      closers.push(() => published.close());
      const first = JSON.parse(await release.execute('identity', ['first-accounts'])) as { admin_key: string };
      accounts.push(...(await openAccounts(release.origin, first.admin_key, CALLERS + 2, CREDITS)));
      await release.test(accounts[0]?.key ?? '');
      expect(release.broken).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'are replaced one by one under load, and no request is lost',
    async () => {
      const origins = [release.origin];
      const [[searcher, reader], callers] = [accounts.slice(0, 2), accounts.slice(2)];
      if (searcher === undefined || reader === undefined) throw new Error('no accounts were opened');
      const calls = new Load(origins, callers, CLIENT_PAUSE_MS, callOnce);
      const searches = new Load(origins, [searcher], CLIENT_PAUSE_MS, searchOnce);
      const reads = readersOf(origins, [reader], READS);
      const all = [calls, searches, reads];
      try {
        calls.start(CALLERS);
        searches.start(1);
        reads.start(1);
        await calls.more(2 * CALLERS, ({ success }) => success === true);
        await release.roll();
        await calls.more(2 * CALLERS, ({ success }) => success === true);
      } finally {
        await Promise.all(all.map((load) => load.stop()));
      }
      const lost = {
        calls: calls.outcomes.filter(({ success }) => success !== true),
        searches: searches.outcomes.filter(({ status }) => status !== 200),
        reads: unservedReads(READS, reads.outcomes),
      };
      expect({ ...lost, broken: release.broken }).toEqual({ calls: [], searches: [], reads: [], broken: [] });
      // Each kind of request was made through all of it.
      expect(Math.min(...all.map(({ outcomes }) => outcomes.length))).toBeGreaterThan(100);

      const callerIds = callers.map(({ accountId }) => accountId);
      await recovered(books, [...callerIds, reader.accountId]);
      await expectChargedOnce(books, callerIds, calls.outcomes);
      await searchesRecovered(books, searchBooks, [searcher.accountId]);
      await expectSearchesChargedOnce(searchBooks, [searcher.accountId]);
    },
    LIMIT_MS,
  );

  it('leave books that agree', () => expectAgreement({ books, published, accounts, sinceMs }), LIMIT_MS);
});
