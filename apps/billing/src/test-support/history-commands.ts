import {
  AppError,
  creditsFromMicro,
  toIso,
  type Clock,
  type Credits,
  type JsonObject,
  type ManualClock,
} from '@capability-router/kernel';
import type pg from 'pg';
import { runAdminCommand } from '../admin-commands/run-admin-command.js';
import { correctAccount } from '../corrections/correct-account.js';
import { grantToAccount } from '../grants/grant-to-account.js';
import { refundCharge } from '../refunds/refund-charge.js';
import { refundPayment } from '../refunds/refund-payment.js';
import { same, type History } from './history.js';

const HOUR_MS = 3_600_000;

/** Draws the commands of administrators for accounts of random histories. */
export class HistoryCommands {
  private commands = 0;

  /** `count` is told what happened. */
  constructor(
    private readonly pool: pg.Pool,
    private readonly clock: ManualClock,
    private readonly count: (what: string) => void,
  ) {}

  async refund({ accountId, random, model }: History): Promise<void> {
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

  async grant({ accountId, random, model }: History): Promise<void> {
    const { clock } = this;
    const amount = creditsFromMicro(BigInt(random.integer(1, 3_000_000)));
    const category = random.pick(['purchased', 'purchased', 'invite_reward', 'trial'] as const);
    const expiresAtMs = random.next() < 0.6 ? clock.nowMs() + random.integer(1, 30) * HOUR_MS : null;
    const expiresAt = expiresAtMs === null ? null : toIso(expiresAtMs);
    // The price follows from the amount, so that it draws nothing.
    const paidCurrency = amount % 3n === 0n ? 'JPY' : 'EUR';
    const paid =
      category === 'purchased'
        ? { paidAmount: `${1n + (amount % 97n)}.${10n + (amount % 89n)}`, paidCurrency }
        : undefined;
    const answer = await this.command('grant', { accountId, random }, true, (tx, at) =>
      grantToAccount(tx, { accountId, category, amount, expiresAt, paid }, at),
    );
    const grantId = answer?.['grant_id'] as string;
    model.grant({ grantId, paid: category === 'purchased', granted: amount, expiresAtMs, grantedAtMs: clock.nowMs() });
    this.count('grants');
  }

  async correct({ accountId, random, model }: History): Promise<void> {
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

  async returnPayment({ accountId, random, model }: History): Promise<void> {
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
