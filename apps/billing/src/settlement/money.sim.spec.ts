import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  creditsFromMicro,
  ManualClock,
  newAccountId,
  newExecutionId,
  newSearchId,
  type AccountId,
} from '@capability-router/kernel';
import { topicNames, wasAskedToRetry, type EventEnvelope } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import type { Budget } from '../budgets/domain/budgets-of-credential.js';
import { applyAccountEvents } from '../grants/account-events.js';
import { isBilledSearch, type BillableId } from '../holds/domain/billable-id.js';
import type { PlaceHold } from '../holds/domain/wanted-hold.js';
import { placeHold } from '../holds/place-hold.js';
import { releaseHolds } from '../holds/release-holds.sql.js';
import { checkAudit } from '../invariants/check-audit.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { BudgetModel } from '../test-support/budget-model.js';
import { digestTables } from '../test-support/digest-tables.js';
import { accountOpened, searchedEvent, terminalEvent } from '../test-support/events.js';
import { SeededRandom, seedOfRun } from '../test-support/random.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { TwinSender } from '../test-support/twice.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { settleExecutions } from './settle-executions.js';

// The long run asks for more histories.
const COMMANDS = process.env['TEST_HISTORIES'] === undefined ? 150 : 1_000;
/** A history goes on up to here until each thing has happened `ENOUGH` times. */
const MAX_COMMANDS = 1_600;
const ENOUGH = 5;
const ACCOUNTS = 4;
const RICH_GRANT = 400_000_000n;
const INQUIRY_AGE_MS = 90_000;
/** More settlements than ten commands make. */
const MAX_READ = 1_000;
/** Shortly before the midnight that falls into the history. */
const START_MS = Date.UTC(2025, 10, 30, 23, 58, 20);

/** A model of what the books must say, kept in plain numbers. */
interface ModelAccount {
  balance: bigint;
  readonly open: Map<BillableId, bigint>;
}
/** An execution or a billed search. */
interface ModelRun {
  readonly accountId: AccountId;
  readonly hold: bigint | undefined;
  readonly budgets: readonly Budget[];
  ended: boolean;
  /** Its terminal event, once it has one. */
  event?: EventEnvelope;
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
    const clock = new ManualClock(START_MS);
    const model = new Map<AccountId, ModelAccount>();
    const runs = new Map<BillableId, ModelRun>();
    const seen = {
      held: 0,
      short: 0,
      budgeted: 0,
      captured: 0,
      released: 0,
      refusedCapture: 0,
      swept: 0,
      batches: 0,
      searches: 0,
    };
    const budgetModel = new BudgetModel(random);
    const refused = { holds: 0, budgets: 0, conflicts: 0, settlements: 0, releases: 0, grants: 0, edits: 0 };
    const { pool } = database;

    /** Twice at once: the second must change nothing. */
    const sender = new TwinSender();
    const twice = sender.twice.bind(sender);
    /** A refused command leaves every row of every table as it was. */
    const refusedAs = async (kind: keyof typeof refused, command: () => Promise<unknown>): Promise<void> => {
      const before = await digestTables(pool);
      await command();
      expect({ kind, rows: await digestTables(pool) }).toEqual({ kind, rows: before });
      refused[kind] += 1;
    };
    const openings: EventEnvelope[] = [];
    const facts: EventEnvelope[] = [];
    const settle = (events: readonly EventEnvelope[]): Promise<unknown> =>
      twice(() => inTransaction(pool, (tx) => settleExecutions(tx, events, clock)));

    for (let i = 0; i < ACCOUNTS; i += 1) {
      const accountId = newAccountId(clock.nowMs());
      // One account is rich, so that budgets, too, are what stops a hold; others may have nothing.
      const grant = i === 0 ? RICH_GRANT : BigInt(random.integer(0, 8)) * 5_000_000n;
      const opened = accountOpened(accountId, grant, clock.nowMs());
      await twice(() => inTransaction(pool, (tx) => applyAccountEvents(tx, [opened, opened], clock)));
      openings.push(opened);
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
      const budgets = budgetModel.draw(accountId, clock.nowMs());
      const affordable = available(account(accountId)) >= amount;
      const fits = affordable && budgetModel.fits(budgets, amount);
      const status = fits ? 'held' : affordable ? 'budget_exceeded' : 'insufficient_credits';
      const place = () => expectHold({ billableId, accountId, amount, budgets }, status);
      await (fits ? place() : refusedAs(affordable ? 'budgets' : 'holds', place));
      if (fits) account(accountId).open.set(billableId, amount);
      if (fits) budgetModel.reserve(budgets, amount);
      runs.set(billableId, { accountId, hold: fits ? amount : undefined, budgets, ended: false });
      seen[fits ? 'held' : 'short'] += 1;
      if (fits && budgets.length > 0) seen.budgeted += 1;
    };

    async function expectHold(
      wanted: Pick<PlaceHold, 'billableId' | 'accountId' | 'amount' | 'budgets'>,
      status: string,
    ) {
      const now = new Date(clock.nowMs());
      const hold = { ...wanted, inquireAfter: new Date(clock.nowMs() + INQUIRY_AGE_MS), now };
      const answers = await twice(() => placeHold(pool, hold));
      expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    }

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
        run.event = event;
        events.push(event);
        if (random.next() < 0.3) events.push(event);
        run.ended = true;
        const state = account(run.accountId);
        const open = state.open.delete(billableId);
        if (open && bill > 0n && bill <= held) {
          state.balance -= bill;
          budgetModel.end(run.budgets, held, bill);
          seen.captured += 1;
          if (isBilledSearch(billableId)) seen.searches += 1;
        } else if (bill > 0n) {
          if (open) budgetModel.end(run.budgets, held, 0n);
          seen.refusedCapture += 1;
        } else if (open) {
          budgetModel.end(run.budgets, held, 0n);
          seen.released += 1;
        }
      }
      const [accountId] = accountIds;
      if (accountId !== undefined) {
        const searchId = newSearchId(clock.nowMs());
        events.push(searchedEvent({ searchId, accountId, success: random.next() < 0.9, nowMs: clock.nowMs() }));
      }
      await settle(events);
      facts.push(...events);
      seen.batches += 1;
    };

    function ending(id: BillableId, accountId: AccountId, success: boolean, bill: bigint): EventEnvelope {
      const nowMs = clock.nowMs();
      if (isBilledSearch(id)) return searchedEvent({ searchId: id, accountId, success, bill, nowMs });
      const type = success ? 'ExecutionCompleted' : random.pick(['ExecutionRefused', 'ExecutionInterrupted'] as const);
      const event = terminalEvent({ executionId: id, accountId, type, success, bill, nowMs });
      if (success || random.next() < 0.7) return event;
      // The audit keeps nothing of a call that was not dispatched, whichever build says so.
      const asked = random.pick([{ httpStatusCode: 503 }, { httpStatusCode: 503, dispatched: false }]);
      return { ...event, data: { ...event.data, ...asked } };
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
        if (account(run.accountId).open.delete(id)) {
          budgetModel.end(run.budgets, run.hold ?? 0n, 0n);
          seen.swept += 1;
        }
        // A late event of what was swept finds no open hold and must not charge, not even a success with a bill.
        const success = random.next() < 0.5;
        run.event = ending(id, run.accountId, success, success ? (run.hold ?? 0n) : 0n);
        await settle([run.event]);
        facts.push(run.event);
        run.ended = true;
      }
    };

    /** Commands that come again, or come with other contents under a known id. */
    const refuse = async (): Promise<void> => {
      const ended = [...runs].filter(([, run]) => run.event !== undefined);
      if (ended.length === 0) return;
      const [id, run] = random.pick(ended);
      const held = [...runs].find(([, other]) => !other.ended && other.hold !== undefined);
      const [takenId, taken] = held ?? [id, run];
      if (taken.hold !== undefined) {
        const other = { ...taken, billableId: takenId, amount: creditsFromMicro(taken.hold + 1n) };
        await refusedAs('conflicts', () => expectHold(other, 'conflict'));
      }
      const again = [run.event, ending(id, run.accountId, true, 1n)].filter((event) => event !== undefined);
      await refusedAs('settlements', () => settle(again));
      await refusedAs('releases', () => twice(() => releaseHolds(pool, [id], new Date(clock.nowMs()))));
      const grant = random.pick(openings);
      await refusedAs('grants', () => twice(() => inTransaction(pool, (tx) => applyAccountEvents(tx, [grant], clock))));
      const edit = random.pick(['UPDATE ledger_entries SET description = description', 'DELETE FROM ledger_entries']);
      await refusedAs('edits', () => expect(pool.query(edit)).rejects.toThrow('permission denied'));
    };

    let readTo = '';
    /** The audit catches up, from facts and settlements that come in either order, or both at once. */
    const audit = async (): Promise<void> => {
      await untilReadable(pool);
      const read = await readAfter(pool, readTo, MAX_READ, [topicNames.usageSettlements]);
      readTo = read.position;
      const batches = random.pick([[facts, read.events], [read.events, facts], [[...read.events, ...facts]]]);
      for (const batch of batches) await twice(() => inTransaction(pool, (tx) => projectUsage(tx, batch)));
      facts.length = 0;
      expect(await checkAudit(pool)).toEqual([]);
      const expected = [...runs.values()].filter(({ event }) => event !== undefined && !wasAskedToRetry(event.data));
      const { rows } = await pool.query<{ rows: number }>(
        'SELECT count(*)::int AS rows FROM usage_events WHERE bill IS NOT NULL',
      );
      expect(rows).toEqual([{ rows: expected.length }]);
    };

    const endedHolds = new Map<string, string>();
    /** Once ended, the row of a hold never changes again. */
    const expectOneEndPerHold = async (): Promise<void> => {
      const { rows } = await pool.query<{ id: string; row: string }>(
        "SELECT execution_id AS id, h::text AS row FROM holds h WHERE state <> 'open'",
      );
      const now = new Map(rows.map(({ id, row }) => [id, row]));
      for (const [id, row] of endedHolds) expect(now.get(id)).toBe(row);
      for (const [id, row] of now) endedHolds.set(id, row);
    };

    // A history in which something did not happen proves nothing about it.
    const rare = (): string[] => {
      const { swept: _rarely, ...happened } = { ...seen, ...refused };
      return Object.entries(happened).flatMap(([what, count]) => (count < ENOUGH ? [what] : []));
    };
    for (let step = 0; step < COMMANDS || (step < MAX_COMMANDS && rare().length > 0); step += 1) {
      clock.advanceMs(random.integer(1, 1_000));
      const draw = random.next();
      await (draw < 0.55 ? hold() : draw < 0.9 ? end() : draw < 0.97 ? refuse() : sweep());
      expect({ step, violations: await checkInvariants(pool) }).toEqual({ step, violations: [] });
      await expectOneEndPerHold();
      if (step % 10 !== 0) continue;
      await expectModel();
      await audit();
    }
    await expectModel();
    await audit();
    console.info(`${sender.retries} tries were broken off by PostgreSQL and sent again`);

    async function expectModel(): Promise<void> {
      const { rows } = await pool.query<{ account_id: AccountId; balance_micro: string; held_micro: string }>(
        'SELECT account_id, balance_micro, held_micro FROM account_balances',
      );
      const books = new Map(rows.map((row) => [row.account_id, [row.balance_micro, row.held_micro]]));
      for (const [id, state] of model) {
        expect(books.get(id)).toEqual([state.balance.toString(), (state.balance - available(state)).toString()]);
      }
      expect(await BudgetModel.read(pool)).toEqual(budgetModel.rows());
    }
    expect(rare()).toEqual([]);
  }, 900_000);
});
