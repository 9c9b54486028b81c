import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  creditsFromMicro,
  ManualClock,
  newAccountId,
  newExecutionId,
  newSearchId,
  type AccountId,
} from '@capability-router/kernel';
import type { EventEnvelope } from '@capability-router/contracts';
import { applyAccountEvents } from '../grants/account-events.js';
import { isBilledSearch, type BillableId } from '../holds/billable-id.js';
import { placeHold } from '../holds/place-hold.js';
import { releaseHolds } from '../holds/release-holds.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { accountOpened, searchedEvent, terminalEvent } from '../test-support/events.js';
import { SeededRandom, seedOfRun } from '../test-support/random.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { settleExecutions } from './settle-executions.js';

const COMMANDS = 400;
const ACCOUNTS = 4;
const HOLD_TIME_MS = 90_000;

/** What the books must say, kept in plain numbers. */
interface ModelAccount {
  balance: bigint;
  readonly open: Map<BillableId, bigint>;
}
/** An execution or a billed search. */
interface ModelRun {
  readonly accountId: AccountId;
  readonly hold: bigint | undefined;
  ended: boolean;
}

describe('money, by random histories on the real SQL', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  it('keeps every invariant after every command, each command sent twice in parallel', async () => {
    const random = new SeededRandom(seedOfRun());
    console.info(`TEST_SEED=${random.seed}`);
    const clock = new ManualClock(1_763_700_000_000);
    const model = new Map<AccountId, ModelAccount>();
    const runs = new Map<BillableId, ModelRun>();
    const seen = { held: 0, short: 0, captured: 0, released: 0, refusedCapture: 0, swept: 0, batches: 0, searches: 0 };
    const { pool } = database;

    /** Twice at once: the second must change nothing. A serialization fault of a twin is retried by the bus; so here. */
    const twice = async <T>(command: () => Promise<T>): Promise<[T, T]> => {
      const retried = async (): Promise<T> => command().catch(() => command());
      return Promise.all([retried(), retried()]);
    };
    const settle = (events: readonly EventEnvelope[]): Promise<unknown> =>
      twice(() => inTransaction(pool, (tx) => settleExecutions(tx, events, clock)));

    for (let i = 0; i < ACCOUNTS; i += 1) {
      const accountId = newAccountId(clock.nowMs());
      const grant = BigInt(random.integer(0, 3)) * 5_000_000n;
      const opened = accountOpened(accountId, grant, clock.nowMs());
      await twice(() => inTransaction(pool, (tx) => applyAccountEvents(tx, [opened, opened], clock)));
      model.set(accountId, { balance: grant, open: new Map() });
    }
    const accountIds = [...model.keys()];
    const account = (id: AccountId): ModelAccount => {
      const found = model.get(id);
      if (found === undefined) throw new Error(`${id} is not in the model`);
      return found;
    };
    const available = (state: ModelAccount): bigint =>
      state.balance - [...state.open.values()].reduce((a, b) => a + b, 0n);

    const hold = async (): Promise<void> => {
      const accountId = random.pick(accountIds);
      const billableId = random.next() < 0.4 ? newSearchId(clock.nowMs()) : newExecutionId(clock.nowMs());
      const amount = creditsFromMicro(BigInt(random.integer(1, 4_000_000)));
      const now = new Date(clock.nowMs());
      const expiresAt = new Date(clock.nowMs() + HOLD_TIME_MS);
      const [a, b] = await twice(() =>
        placeHold(pool, { billableId, accountId, amount, expiresAt, inquireAfter: expiresAt, now }),
      );
      const fits = available(account(accountId)) >= amount;
      expect([a.status, b.status]).toEqual(fits ? ['held', 'held'] : ['insufficient_credits', 'insufficient_credits']);
      if (fits) account(accountId).open.set(billableId, amount);
      runs.set(billableId, { accountId, hold: fits ? amount : undefined, ended: false });
      seen[fits ? 'held' : 'short'] += 1;
    };

    /** One batch with several endings: bills below, equal to and above the hold, failures, runs without a hold, free searches. */
    const end = async (): Promise<void> => {
      const running = [...runs].filter(([, run]) => !run.ended);
      const events: EventEnvelope[] = [];
      for (let i = 0, size = random.integer(1, 6); i < size; i += 1) {
        const next = running.splice(random.integer(0, Math.max(0, running.length - 1)), 1)[0];
        if (next === undefined) break;
        const [billableId, run] = next;
        const success = random.next() < 0.7;
        const held = run.hold ?? 0n;
        const bill = success ? random.pick([0n, held / 2n, held, held, held + 1n]) : 0n;
        const event = ending(billableId, run.accountId, success, bill);
        events.push(event);
        if (random.next() < 0.3) events.push(event);
        run.ended = true;
        const state = account(run.accountId);
        const open = state.open.delete(billableId);
        if (open && bill > 0n && bill <= held) {
          state.balance -= bill;
          seen.captured += 1;
          if (isBilledSearch(billableId)) seen.searches += 1;
        } else if (bill > 0n) {
          seen.refusedCapture += 1;
        } else if (open) {
          seen.released += 1;
        }
      }
      const [accountId] = accountIds;
      if (accountId !== undefined) {
        const searchId = newSearchId(clock.nowMs());
        events.push(searchedEvent({ searchId, accountId, success: random.next() < 0.9, nowMs: clock.nowMs() }));
      }
      await settle(events);
      seen.batches += 1;
    };

    function ending(id: BillableId, accountId: AccountId, success: boolean, bill: bigint): EventEnvelope {
      const nowMs = clock.nowMs();
      if (isBilledSearch(id)) return searchedEvent({ searchId: id, accountId, success, bill, nowMs });
      const type = success ? 'ExecutionCompleted' : random.pick(['ExecutionRefused', 'ExecutionInterrupted'] as const);
      return terminalEvent({ executionId: id, accountId, type, success, bill, nowMs });
    }

    const sweep = async (): Promise<void> => {
      const stale = [...runs].filter(([, e]) => !e.ended && e.hold !== undefined).slice(0, 2);
      await twice(() =>
        releaseHolds(
          pool,
          stale.map(([id]) => id),
          new Date(clock.nowMs()),
        ),
      );
      for (const [id, run] of stale) {
        if (account(run.accountId).open.delete(id)) seen.swept += 1;
        // A late event of what was swept finds no open hold and must not charge, not even a success with a bill.
        const success = random.next() < 0.5;
        await settle([ending(id, run.accountId, success, success ? (run.hold ?? 0n) : 0n)]);
        run.ended = true;
      }
    };

    for (let step = 0; step < COMMANDS; step += 1) {
      clock.advanceMs(random.integer(1, 1_000));
      const draw = random.next();
      await (draw < 0.6 ? hold() : draw < 0.97 ? end() : sweep());
      expect({ step, violations: await checkInvariants(pool) }).toEqual({ step, violations: [] });
      if (step % 10 === 0) await expectModel();
    }
    await expectModel();

    async function expectModel(): Promise<void> {
      const { rows } = await pool.query<{ account_id: AccountId; balance_micro: string; held_micro: string }>(
        'SELECT account_id, balance_micro, held_micro FROM account_balances',
      );
      const books = new Map(rows.map((row) => [row.account_id, [row.balance_micro, row.held_micro]]));
      for (const [id, state] of model) {
        expect(books.get(id)).toEqual([state.balance.toString(), (state.balance - available(state)).toString()]);
      }
    }
    // A history in which nothing happened proves nothing.
    for (const count of [
      seen.held,
      seen.short,
      seen.captured,
      seen.released,
      seen.refusedCapture,
      seen.batches,
      seen.searches,
    ]) {
      expect(count).toBeGreaterThan(4);
    }
  }, 240_000);
});
