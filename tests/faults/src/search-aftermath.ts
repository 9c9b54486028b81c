import { expect } from '@jest/globals';
import type { Books } from './books.js';
import { pause } from './load.js';
import type { SearchBooks } from './search-books.js';

/** As for executions: a minute after a restart nothing of the dead is open; the rest is for a busy machine. */
const RECOVERY_TIMEOUT_MS = 180_000;
const POLL_MS = 250;

/** Resolves when no hold of the accounts is open, and every search that was recorded is audited and, where it has a price, charged. */
export async function searchesRecovered(books: Books, searches: SearchBooks, ids: readonly string[]): Promise<void> {
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
    await pause(POLL_MS);
  }
}

/** Every search that was recorded has one audit row, and one charge where it has a price; there is no other. Gives what there is. */
export async function expectSearchesChargedOnce(searches: SearchBooks, ids: readonly string[]) {
  const [recorded, audited, charges] = await Promise.all([
    searches.recorded(ids),
    searches.audited(ids),
    searches.charges(ids),
  ]);
  expect(audited).toEqual(new Map([...recorded].map(([id, { billMicro }]) => [id, billMicro])));
  const billed = [...recorded.values()].filter(({ billMicro }) => billMicro > 0n);
  expect(charges).toEqual(new Map(billed.map(({ searchId, billMicro }) => [searchId, billMicro])));
  return { recorded, audited, charges };
}
