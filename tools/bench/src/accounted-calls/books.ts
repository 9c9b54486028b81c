import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const DRAIN_TIMEOUT_MS = 120_000;
const POLL_MS = 20;

export interface Books {
  /** Charges in the ledger. */
  readonly charges: number;
  /** Audit rows of executions that know their settlement. */
  readonly audited: number;
  readonly openHolds: number;
}

export async function readBooks(billing: pg.Pool): Promise<Books> {
  const { rows } = await billing.query<Books>(`
    SELECT (SELECT count(*) FROM ledger_entries WHERE entry_type = 'consume_tool_execute')::int AS charges,
           (SELECT count(*) FROM usage_events WHERE recorded AND settled_at IS NOT NULL)::int AS audited,
           (SELECT count(*) FROM holds WHERE state = 'open')::int AS "openHolds"`);
  const [books] = rows;
  if (books === undefined) throw new Error('the books cannot be read');
  return books;
}

/**
 * Waits until every call has its charge and its audit row; milliseconds it took since the last answer, which came at
 * `lastAnswerAtMs` (since the epoch). @throws Error where they never agree.
 */
export async function drained(
  billing: pg.Pool,
  expected: Omit<Books, 'openHolds'>,
  lastAnswerAtMs: number,
): Promise<number> {
  const startedMs = lastAnswerAtMs - performance.timeOrigin;
  for (;;) {
    const books = await readBooks(billing);
    const agree = books.charges === expected.charges && books.audited === expected.audited && books.openHolds === 0;
    if (agree) return performance.now() - startedMs;
    if (performance.now() - startedMs > DRAIN_TIMEOUT_MS || books.charges > expected.charges) {
      throw new Error(`the books do not agree: ${JSON.stringify({ books, expected })}`);
    }
    await sleep(POLL_MS);
  }
}
