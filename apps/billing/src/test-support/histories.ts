import type { EventEnvelope } from '@capability-router/contracts';
import {
  creditsFromMicro,
  newAccountId,
  newExecutionId,
  newSearchId,
  toIso,
  type ManualClock,
} from '@capability-router/kernel';
import { applyAccountEvents } from '../grants/account-events.js';
import { isBilledSearch, type BillableId } from '../holds/domain/billable-id.js';
import { placeHold } from '../holds/place-hold.js';
import { releaseHolds } from '../holds/release-holds.sql.js';
import { importModelCalls } from '../imports/import-model-calls.js';
import type { ModelCall } from '../imports/domain/model-call.js';
import type pg from 'pg';
import { AccountModel } from './account-model.js';
import { accountOpened, searchedEvent, terminalEvent } from './events.js';
import { HistoryCommands } from './history-commands.js';
import { same, type History } from './history.js';
import { SeededRandom } from './random.js';
import { inTransaction } from './scratch-database.js';

/** Micro-credits per account and day, for the half of the accounts that has an allowance. */
const DAILY_FREE = 2_500_000n;
const HOUR_MS = 3_600_000;

/** Draws commands for many accounts side by side, one per account and round, and keeps their models. */
export class Histories {
  readonly all: History[] = [];
  /** How often what happened. */
  readonly seen: Record<string, number> = {};
  private readonly commands: HistoryCommands;

  constructor(
    private readonly pool: pg.Pool,
    private readonly random: SeededRandom,
    private readonly clock: ManualClock,
  ) {
    this.commands = new HistoryCommands(pool, clock, (what) => this.count(what));
  }

  count(what: string, times = 1): void {
    this.seen[what] = (this.seen[what] ?? 0) + times;
  }

  /** Opens accounts with first grants of all sizes, some with an end. */
  async open(count: number): Promise<void> {
    const { random, clock } = this;
    const events: EventEnvelope[] = [];
    for (let i = 0; i < count; i += 1) {
      const accountId = newAccountId(clock.nowMs());
      const granted = BigInt(random.integer(0, 6)) * 1_500_000n;
      const expiresAtMs = random.next() < 0.5 ? clock.nowMs() + random.integer(1, 40) * HOUR_MS : null;
      const opened = accountOpened(accountId, granted, clock.nowMs());
      const ends = expiresAtMs === null ? {} : { grantExpiresAt: toIso(expiresAtMs) };
      events.push({ ...opened, data: { ...opened.data, ...ends } });
      const model = new AccountModel();
      model.grant({ grantId: undefined, paid: false, granted, expiresAtMs, grantedAtMs: clock.nowMs() });
      const hasAllowance = random.next() < 0.5;
      const own = new SeededRandom(random.integer(0, 2 ** 31 - 1));
      this.all.push({ accountId, random: own, model, hasAllowance, running: [], settled: [], ended: [], imports: 0 });
    }
    await inTransaction(this.pool, (tx) => applyAccountEvents(tx, [...events, ...events.slice(0, 50)], clock));
  }

  /** The terminal events of this round, in the order of the accounts. */
  takeEnded(): EventEnvelope[] {
    const events = this.all.flatMap((history) => history.ended);
    for (const history of this.all) history.ended = [];
    return events;
  }

  /** One command for one account. */
  async step(history: History): Promise<void> {
    const draw = history.random.next();
    const { running, model } = history;
    if (draw < 0.32 || (draw < 0.6 && running.length === 0)) return this.hold(history);
    if (draw < 0.6) return this.end(history);
    if (draw < 0.63) return this.sweep(history);
    if (draw < 0.73) return model.charges.length === 0 ? this.hold(history) : this.commands.refund(history);
    if (draw < 0.84) return this.commands.grant(history);
    if (draw < 0.89) return this.commands.correct(history);
    if (draw < 0.93) return this.commands.returnPayment(history);
    if (draw < 0.97) return this.importCall(history);
    return this.redeliver(history);
  }

  private async hold({ accountId, random, model, hasAllowance, running }: History): Promise<void> {
    const { clock, pool } = this;
    const nowMs = clock.nowMs();
    const billableId = random.next() < 0.3 ? newSearchId(nowMs) : newExecutionId(nowMs);
    // Mostly what the account can pay, and often nearly all of it: charges then reach over several lots.
    const affordable = Number(model.available < 4_000_000n ? model.available : 4_000_000n);
    const most = random.next() < 0.75 && affordable > 0 ? affordable : 4_000_000;
    const amount = creditsFromMicro(BigInt(random.integer(Math.ceil(most / 2), most)));
    const day = toIso(nowMs).slice(0, 10);
    const allowance = hasAllowance ? { day, limit: creditsFromMicro(DAILY_FREE) } : undefined;
    const expected = model.hold(billableId, amount, allowance);
    const at = new Date(nowMs);
    const place = () => placeHold(pool, { billableId, accountId, amount, inquireAfter: at, now: at, allowance });
    const twice = random.next() < 0.15;
    for (const answer of await Promise.all(twice ? [place(), place()] : [place()])) {
      const told = answer.status === 'held' && answer.covered === true ? 'covered' : answer.status;
      same(told, expected, `the hold ${billableId}`);
    }
    if (twice) this.count('twin holds');
    this.count(expected);
    running.push(billableId);
  }

  private end(history: History): Promise<void> {
    const { clock } = this;
    const { random } = history;
    const [billableId] = history.running.splice(random.integer(0, history.running.length - 1), 1);
    if (billableId === undefined) throw new Error('nothing runs');
    const held = history.model.holds.get(billableId)?.amount ?? 0n;
    const success = random.next() < 0.75;
    const bill = success ? random.pick([held, held, held / 2n, held / 3n, held + 1n]) : 0n;
    const event = this.ending(billableId, history, success, bill);
    const { outcome, lapsed } = history.model.end(billableId, bill, clock.nowMs());
    this.count(outcome);
    if (lapsed > 0n) this.count('lapsed with a hold');
    history.ended.push(event);
    history.settled.push(event);
    return Promise.resolve();
  }

  private ending(id: BillableId, { accountId, random }: History, success: boolean, bill: bigint): EventEnvelope {
    const nowMs = this.clock.nowMs();
    if (isBilledSearch(id)) return searchedEvent({ searchId: id, accountId, success, bill, nowMs });
    const type = success ? 'ExecutionCompleted' : random.pick(['ExecutionRefused', 'ExecutionInterrupted'] as const);
    return terminalEvent({ executionId: id, accountId, type, success, bill, nowMs });
  }

  /** A dead execution: its hold is given back, and its end comes late. */
  private async sweep(history: History): Promise<void> {
    const { model, running, settled, ended } = history;
    const billableId = running.pop();
    if (billableId === undefined) return;
    const held = model.holds.get(billableId)?.amount;
    const sweep = () => releaseHolds(this.pool, [billableId], new Date(this.clock.nowMs()));
    const released = (await sweep()) + (await sweep());
    same(released, held === undefined ? 0 : 1, `releases of ${billableId}`);
    model.release(billableId);
    if (held !== undefined) this.count('swept');
    const event = this.ending(billableId, history, true, held ?? 1n);
    model.end(billableId, held ?? 1n, this.clock.nowMs());
    ended.push(event);
    settled.push(event);
  }

  private async importCall(history: History): Promise<void> {
    const { clock } = this;
    const { accountId, random, model } = history;
    const amount = creditsFromMicro(BigInt(random.integer(0, 3)) * 700_000n);
    history.imports += 1;
    const call: ModelCall = {
      importId: `call-${history.imports}`,
      accountId,
      model: 'a-model',
      success: true,
      reasonCode: 'result.valid',
      amount,
      inputTokens: 1,
      outputTokens: 1,
      occurredMs: clock.nowMs(),
      inputHash: `${history.imports} ${amount}`,
    };
    const fits = amount <= model.available;
    const results = await importModelCalls(this.pool, [call, call, { ...call, inputHash: 'another' }], clock);
    const told = results.map((result) => result.status).join(' ');
    same(told, fits ? 'imported duplicate conflict' : 'rejected rejected rejected', `import ${call.importId}`);
    const [first] = results;
    if (first?.status === 'imported' && amount > 0n) model.charge(first.importRef, amount);
    this.count(fits ? 'imports' : 'refused imports');
  }

  /** An end that was settled comes once more, as it was or with another bill. */
  private redeliver(history: History): Promise<void> {
    const { random, settled, ended } = history;
    if (settled.length === 0) return Promise.resolve();
    const event = random.pick(settled);
    const id = (event.data['executionId'] ?? event.data['searchId']) as BillableId;
    ended.push(event, this.ending(id, history, true, 1n));
    this.count('redelivered');
    return Promise.resolve();
  }
}
