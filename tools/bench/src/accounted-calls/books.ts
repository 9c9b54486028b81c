import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

const DRAIN_TIMEOUT_MS = 120_000;
const POLL_MS = 20;
/** Longer than an event needs to its audit row. */
const REST_MS = 1_000;

interface Books {
  /** Charges in the ledger. */
  readonly charges: number;
  /** Audit rows of executions that know their settlement. */
  readonly audited: number;
  readonly openHolds: number;
}

async function readBooks(billing: pg.Pool): Promise<Books> {
  const { rows } = await billing.query<Books>(`
    SELECT (SELECT count(*) FROM ledger_entries WHERE entry_type = 'consume_tool_execute')::int AS charges,
           (SELECT count(*) FROM usage_events WHERE recorded AND settled_at IS NOT NULL)::int AS audited,
           (SELECT count(*) FROM holds WHERE state = 'open')::int AS "openHolds"`);
  const [books] = rows;
  if (books === undefined) throw new Error('the books cannot be read');
  return books;
}

/** The books must hold what they held at first, and exactly what was called since. */
export class ExpectedBooks {
  private paidCalls = 0;

  private constructor(
    private readonly billing: pg.Pool,
    private readonly expected: { charges: number; audited: number },
  ) {}

  static async open(billing: pg.Pool): Promise<ExpectedBooks> {
    const { charges, audited } = await readBooks(billing);
    return new ExpectedBooks(billing, { charges, audited });
  }

  /** As `open`, after whatever was done before is booked. @throws Error where the books do not come to rest. */
  static async openAtRest(billing: pg.Pool): Promise<ExpectedBooks> {
    const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS;
    for (let before = await readBooks(billing); performance.now() < deadlineMs;) {
      await sleep(REST_MS);
      const now = await readBooks(billing);
      if (JSON.stringify(now) === JSON.stringify(before) && now.openHolds === 0) {
        return new ExpectedBooks(billing, { charges: now.charges, audited: now.audited });
      }
      before = now;
    }
    throw new Error('the books did not come to rest');
  }

  /** Paid calls so far. */
  get paid(): number {
    return this.paidCalls;
  }

  /**
   * Adds calls that were answered with success, the last at `lastAnswerAtMs` (since the epoch), and waits until they are
   * booked; gives the milliseconds that took since. @throws Error where the books never agree.
   */
  settled(calls: { readonly paid: number; readonly free: number }, lastAnswerAtMs: number): Promise<number> {
    this.paidCalls += calls.paid;
    this.expected.charges += calls.paid;
    this.expected.audited += calls.paid + calls.free;
    return drained(this.billing, this.expected, lastAnswerAtMs);
  }
}

/**
 * Waits until every call has its charge and its audit row; milliseconds it took since the last answer, which came at
 * `lastAnswerAtMs` (since the epoch). @throws Error where they never agree.
 */
async function drained(billing: pg.Pool, expected: Omit<Books, 'openHolds'>, lastAnswerAtMs: number): Promise<number> {
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
