import { expect } from '@jest/globals';
import { expectChargedOnce, recovered } from '../aftermath.js';
import { capabilities, credits, readersOf, unservedReads, type Read, type ReadOutcome } from '../availability/reads.js';
import type { Books } from '../books.js';
import { callOnce, Load, type CallOutcome, type LoadAccount } from '../load.js';
import { expectSearchesChargedOnce, searchesRecovered } from '../search-aftermath.js';
import type { SearchBooks } from '../search-books.js';
import { searchOnce, type SearchOutcome } from '../search-load.js';

const CALLERS = 3;
/** One for each caller, one for searches, and one for what is read. */
export const TRAFFIC_ACCOUNTS = CALLERS + 2;
/** Milliseconds between two requests of a client. */
const CLIENT_PAUSE_MS = 100;
/** Requests of each kind: fewer would say little about a rollout. */
const LEAST = 100;
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

/** Paid calls, searches that are charged, and reads, at a constant rate, through one address. */
export class Traffic {
  private readonly calls: Load<CallOutcome>;
  private readonly searches: Load<SearchOutcome>;
  private readonly reads: Load<ReadOutcome>;
  private readonly callerIds: readonly string[];
  private readonly searcherId: string;
  private readonly readerId: string;

  /** `accounts`: TRAFFIC_ACCOUNTS of them, which nothing else calls with. */
  constructor(origin: string, [searcher, reader, ...callers]: readonly LoadAccount[]) {
    if (searcher === undefined || reader === undefined) throw new Error('too few accounts');
    this.calls = new Load([origin], callers, CLIENT_PAUSE_MS, callOnce);
    this.searches = new Load([origin], [searcher], CLIENT_PAUSE_MS, searchOnce);
    this.reads = readersOf([origin], [reader], READS);
    this.callerIds = callers.map(({ accountId }) => accountId);
    this.searcherId = searcher.accountId;
    this.readerId = reader.accountId;
  }

  /** Runs through all that happens, with some served calls before and after it. Throws where a single request was not served. */
  async during(happens: () => Promise<void>): Promise<void> {
    const all = [this.calls, this.searches, this.reads];
    const served = (): Promise<void> => this.calls.more(2 * CALLERS, ({ success }) => success === true);
    try {
      this.calls.start(CALLERS);
      this.searches.start(1);
      this.reads.start(1);
      await served();
      await happens();
      await served();
    } finally {
      await Promise.all(all.map((load) => load.stop()));
    }
    expect({
      calls: counted(this.calls.outcomes.filter(({ success }) => success !== true)),
      searches: counted(this.searches.outcomes.filter(({ status }) => status !== 200)),
      reads: unservedReads(READS, this.reads.outcomes),
    }).toEqual({ calls: {}, searches: {}, reads: [] });
    expect(Math.min(...all.map(({ outcomes }) => outcomes.length))).toBeGreaterThan(LEAST);
  }

  /** Each call and each search was charged once, and no hold is left. */
  async expectCharged(books: Books, searchBooks: SearchBooks): Promise<void> {
    await recovered(books, [...this.callerIds, this.readerId]);
    await expectChargedOnce(books, this.callerIds, this.calls.outcomes);
    await searchesRecovered(books, searchBooks, [this.searcherId]);
    await expectSearchesChargedOnce(searchBooks, [this.searcherId]);
  }
}

/** How often each answer was given: status and reason, or a broken connection. */
function counted(
  outcomes: readonly Partial<Pick<CallOutcome, 'status' | 'code' | 'message'>>[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status = 'broken', code = '', message = '' } of outcomes) {
    const answer = `${status} ${code} ${message}`.trim();
    counts[answer] = (counts[answer] ?? 0) + 1;
  }
  return counts;
}
