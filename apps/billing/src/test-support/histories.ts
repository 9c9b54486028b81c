// This file is long because it has a case for each command that moves credits, and they share the account they draw for.
import type { EventEnvelope } from '@capability-router/contracts';
import {
  AppError,
  creditsFromMicro,
  newAccountId,
  newExecutionId,
  newSearchId,
  toIso,
  type AccountId,
  type Credits,
  type JsonObject,
  type ManualClock,
  type Clock,
} from '@capability-router/kernel';
import { runAdminCommand } from '../admin-commands/run-admin-command.js';
import { correctAccount } from '../corrections/correct-account.js';
import { applyAccountEvents } from '../grants/account-events.js';
import { grantToAccount } from '../grants/grant-to-account.js';
import { isBilledSearch, type BillableId } from '../holds/domain/billable-id.js';
import { placeHold } from '../holds/place-hold.js';
import { releaseHolds } from '../holds/release-holds.sql.js';
import { importModelCalls } from '../imports/import-model-calls.js';
import type { ModelCall } from '../imports/domain/model-call.js';
import { refundCharge } from '../refunds/refund-charge.js';
import { refundPayment } from '../refunds/refund-payment.js';
import type pg from 'pg';
import { AccountModel } from './account-model.js';
import { accountOpened, searchedEvent, terminalEvent } from './events.js';
import { SeededRandom } from './random.js';
import { inTransaction } from './scratch-database.js';

/** Micro-credits per account and day, for the half of the accounts that has an allowance. */
const DAILY_FREE = 2_500_000n;
const HOUR_MS = 3_600_000;

/** One account, what must be true of it, and what happened to it. */
interface History {
  readonly accountId: AccountId;
  /** Of its own, so that what it draws does not depend on which other account's command ends first. */
  readonly random: SeededRandom;
  readonly model: AccountModel;
  readonly hasAllowance: boolean;
  /** Neither ended nor swept. */
  readonly running: BillableId[];
  /** Terminal events of earlier rounds. */
  readonly settled: EventEnvelope[];
  /** Of this round, to be settled in batches with those of others. */
  ended: EventEnvelope[];
  imports: number;
}

/** Draws commands for many accounts side by side, one per account and round, and keeps their models. */
export class Histories {
  readonly all: History[] = [];
  /** How often what happened. */
  readonly seen: Record<string, number> = {};
  private commands = 0;

  constructor(
    private readonly pool: pg.Pool,
    private readonly random: SeededRandom,
    private readonly clock: ManualClock,
  ) {}

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
    if (draw < 0.73) return model.charges.length === 0 ? this.hold(history) : this.refund(history);
    if (draw < 0.84) return this.grant(history);
    if (draw < 0.89) return this.correct(history);
    if (draw < 0.93) return this.returnPayment(history);
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

  private async refund({ accountId, random, model }: History): Promise<void> {
    const charge = random.pick(model.charges);
    const left = charge.burns.reduce((sum, burn) => sum + burn.left, 0n);
    const wanted = random.pick([0n, left / 2n, left, left + 1n]);
    const amount = wanted === 0n ? undefined : creditsFromMicro(wanted);
    const fits = (amount ?? left) <= left && left > 0n;
    await this.command('refund', { accountId, random }, fits, (tx, at) =>
      refundCharge(tx, { accountId, of: charge.ref, amount }, at),
    );
    if (!fits) return this.count('refused refunds');
    model.refund(charge, amount ?? left);
    this.count((amount ?? left) === left ? 'refunds of the rest' : 'refunds in part');
    if (charge.burns.length > 1) this.count('refunds over several lots');
  }

  private async grant({ accountId, random, model }: History): Promise<void> {
    const { clock } = this;
    const amount = creditsFromMicro(BigInt(random.integer(1, 3_000_000)));
    const category = random.pick(['purchased', 'purchased', 'invite_reward', 'trial'] as const);
    const expiresAtMs = random.next() < 0.6 ? clock.nowMs() + random.integer(1, 30) * HOUR_MS : null;
    const expiresAt = expiresAtMs === null ? null : toIso(expiresAtMs);
    const answer = await this.command('grant', { accountId, random }, true, (tx, at) =>
      grantToAccount(tx, { accountId, category, amount, expiresAt }, at),
    );
    const grantId = answer?.['grant_id'] as string;
    model.grant({ grantId, paid: category === 'purchased', granted: amount, expiresAtMs, grantedAtMs: clock.nowMs() });
    this.count('grants');
  }

  private async correct({ accountId, random, model }: History): Promise<void> {
    const { clock } = this;
    const size = creditsFromMicro(BigInt(random.integer(1, 3_000_000)));
    if (random.next() < 0.4) {
      await this.command('correction', { accountId, random }, true, (tx, at) =>
        correctAccount(tx, { accountId, amount: size, category: 'purchased' }, at),
      );
      model.grant({ grantId: undefined, paid: false, granted: size, expiresAtMs: null, grantedAtMs: clock.nowMs() });
      return this.count('corrections that give');
    }
    const named = model.lots.filter((one) => one.grantId !== undefined);
    const lot = named.length === 0 || random.next() < 0.5 ? undefined : random.pick(named);
    const most = lot !== undefined && lot.remaining < model.available ? lot.remaining : model.available;
    const fits = size <= most;
    const undone = lot?.grantId === undefined ? {} : { entryId: lot.grantId };
    await this.command('correction', { accountId, random }, fits, (tx, at) =>
      correctAccount(tx, { accountId, amount: -size as Credits, ...undone }, at),
    );
    if (fits) model.burn(lot === undefined ? model.lots : [lot], size);
    this.count(fits ? 'corrections that take' : 'refused corrections');
  }

  private async returnPayment({ accountId, random, model }: History): Promise<void> {
    const lot = model.lots.find((one) => one.paid && one.grantId !== undefined);
    if (lot?.grantId === undefined) return;
    const { grantId } = lot;
    const most = lot.remaining < model.available ? lot.remaining : model.available;
    const wanted = random.pick([0n, most, most / 2n, most + 1n]);
    const amount = wanted === 0n ? undefined : creditsFromMicro(wanted);
    const fits = most > 0n && (amount ?? most) <= most;
    await this.command('payment_refund', { accountId, random }, fits, (tx, at) =>
      refundPayment(tx, { accountId, grantId, amount }, at),
    );
    if (fits) model.burn([lot], amount ?? most);
    this.count(fits ? 'payments returned' : 'refused payment refunds');
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

  /** What was settled comes once more, as it was or with another bill. */
  private redeliver(history: History): Promise<void> {
    const { random, settled, ended } = history;
    if (settled.length === 0) return Promise.resolve();
    const event = random.pick(settled);
    const id = (event.data['executionId'] ?? event.data['searchId']) as BillableId;
    ended.push(event, this.ending(id, history, true, 1n));
    this.count('redelivered');
    return Promise.resolve();
  }

  /** Runs it as administrators do; some come twice at once, and are done once. Resolves to the answer, if it was done. */
  private async command(
    kind: string,
    { accountId, random }: Pick<History, 'accountId' | 'random'>,
    expected: boolean,
    work: (tx: pg.PoolClient, clock: Clock) => Promise<JsonObject>,
  ): Promise<JsonObject | undefined> {
    this.commands += 1;
    const idempotencyKey = `${kind}-${this.commands}`;
    const command = { kind, accountId, idempotencyKey, input: {}, commandedBy: 'simulation' };
    const run = () =>
      runAdminCommand(this.pool, command, this.clock, (tx) => work(tx, this.clock)).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'conflict') return undefined;
        throw error;
      });
    const twice = random.next() < 0.2;
    const done = await Promise.all(twice ? [run(), run()] : [run()]);
    for (const answer of done) same(answer !== undefined, expected, `${idempotencyKey} of ${accountId}`);
    if (twice && expected) {
      same(done.filter((answer) => answer?.replayed === true).length, 1, `replays of ${idempotencyKey}`);
      this.count('commands replayed');
    }
    return done[0]?.answer;
  }
}

function same(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`);
}
