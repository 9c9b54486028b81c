import { expect } from '@jest/globals';
import type { Books } from './books.js';
import { pause, type CallOutcome } from './load.js';
import type { PublishedEntries } from './published-entries.js';
import type { Stand } from './stand.js';
import { unexplainedCharges } from './unexplained-charges.js';

/** DESIGN: one minute after a restart no hold of a dead execution is open. Milliseconds. */
const RECOVERY_TIMEOUT_MS = 60_000;
/** Milliseconds for audit and topics, of which nothing is promised but that they catch up. */
const CATCH_UP_TIMEOUT_MS = 180_000;
const POLL_MS = 250;

/** Resolves when no execution of the accounts runs, no hold is open and every end is in the audit. */
export async function recovered(books: Books, ids: readonly string[]): Promise<void> {
  const startedAt = performance.now();
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
    const limitMs = openHolds > 0 || running > 0 ? RECOVERY_TIMEOUT_MS : CATCH_UP_TIMEOUT_MS;
    if (performance.now() - startedAt > limitMs) expect(state).toEqual({ openHolds: 0, running: 0, unsettled: 0 });
    await pause(POLL_MS);
  }
}

/** Every billable end was charged once and nothing else was; what each caller was told is what happened. */
export async function expectChargedOnce(
  books: Books,
  ids: readonly string[],
  outcomes: readonly CallOutcome[],
): Promise<void> {
  const [ends, charges, charged, audited] = await Promise.all([
    books.ends(ids),
    books.charges(ids),
    books.charged(ids),
    books.audited(ids),
  ]);
  const billed = new Map([...ends].filter(([, end]) => end.billMicro > 0n).map(([id, end]) => [id, end.billMicro]));
  expect(charges).toEqual(billed);
  expect(audited).toEqual(new Map([...ends].filter(([, end]) => end.audited).map(([id, end]) => [id, end.billMicro])));
  for (const outcome of outcomes.filter(({ success }) => success === true)) {
    expect(charges.get(outcome.executionId ?? '')).toBe(BigInt(Math.round((outcome.listAmountCredits ?? 0) * 1e6)));
  }
  // Calls that were answered as failed, refused or not run were not charged; an unknown outcome may have been either.
  expect(unexplainedCharges(charged, outcomes)).toEqual([]);
}

/** Invariants, the public topic, `caprouter reconcile` and `caprouter ledger verify`: none differs, of all since the stand was opened. */
export async function expectAgreement({
  books,
  published,
  accounts,
  sinceMs,
}: Pick<Stand, 'books' | 'published' | 'accounts' | 'sinceMs'>): Promise<void> {
  const untilMs = Date.now();
  const ids = accounts.map(({ accountId }) => accountId);
  expect(await books.invariants()).toEqual([]);
  const [verified, reconciled] = await Promise.all([
    books.verified(),
    books.reconciled(sinceMs, untilMs),
    untilPublished(books, published, ids),
  ]);
  expect(verified).toEqual([]);
  expect(reconciled).toEqual([]);
}

async function untilPublished(books: Books, published: PublishedEntries, ids: readonly string[]): Promise<void> {
  const entryIds = await books.entryIds(ids);
  const deadline = performance.now() + CATCH_UP_TIMEOUT_MS;
  for (;;) {
    const missing = published.missing(entryIds);
    if (missing.length === 0) return;
    if (performance.now() > deadline) expect(missing).toEqual([]);
    await pause(100);
  }
}
