import {
  creditsFromMicro,
  newAccountId,
  newExecutionId,
  systemClock,
  type AccountId,
  type Clock,
  type ExecutionId,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import { runAdminCommand } from '../admin-commands/run-admin-command.js';
import type { DailyAllowance } from '../daily-free/domain/daily-allowance.js';
import { applyAccountEvents } from '../grants/account-events.js';
import type { GrantToAccount } from '../grants/domain/grant.js';
import { grantToAccount } from '../grants/grant-to-account.js';
import { placeHold } from '../holds/place-hold.js';
import type { MoneyPaid } from '../ledger/domain/money-paid.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { accountOpened, terminalEvent } from './events.js';
import { inTransaction } from './scratch-database.js';

let commands = 0;

/** One account of a test and what is done to it. Amounts are micro-credits. */
export class MoneyAccount {
  private constructor(
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
    readonly accountId: AccountId,
  ) {}

  static async open(pool: pg.Pool, clock: Clock, welcome = 0n): Promise<MoneyAccount> {
    const accountId = newAccountId(systemClock.nowMs());
    const opened = accountOpened(accountId, welcome, clock.nowMs());
    await inTransaction(pool, (tx) => applyAccountEvents(tx, [opened], clock));
    return new MoneyAccount(pool, clock, accountId);
  }

  /** An account that was opened elsewhere. */
  static of(pool: pg.Pool, clock: Clock, accountId: AccountId): MoneyAccount {
    return new MoneyAccount(pool, clock, accountId);
  }

  /** @returns the id of the grant */
  async grant(
    amount: bigint,
    more: { expiresAt?: string | null; category?: GrantToAccount['category']; paid?: MoneyPaid } = {},
  ): Promise<string> {
    const { accountId } = this;
    const { expiresAt = null, category = 'purchased', paid } = more;
    const answer = await this.command('grant', (tx, at) =>
      grantToAccount(tx, { accountId, category, amount: creditsFromMicro(amount), expiresAt, paid }, at),
    );
    return answer['grant_id'] as string;
  }

  async command(
    kind: string,
    work: (tx: pg.PoolClient, clock: Clock) => Promise<JsonObject>,
    idempotencyKey = `test-${(commands += 1)}`,
    input: JsonObject = {},
  ): Promise<JsonObject> {
    const command = { kind, accountId: this.accountId, idempotencyKey, input, note: 'a note', commandedBy: 'test' };
    return (await runAdminCommand(this.pool, command, this.clock, (tx) => work(tx, this.clock))).answer;
  }

  async hold(amount: bigint, allowance?: DailyAllowance): Promise<{ executionId: ExecutionId; status: string }> {
    const executionId = newExecutionId(systemClock.nowMs());
    const now = new Date(this.clock.nowMs());
    const answer = await placeHold(this.pool, {
      billableId: executionId,
      accountId: this.accountId,
      amount: creditsFromMicro(amount),
      inquireAfter: now,
      now,
      allowance,
    });
    return { executionId, status: answer.status === 'held' && answer.covered === true ? 'covered' : answer.status };
  }

  /** The end of an execution: a success with a bill, or a failure; `told` is what else its event says. */
  async end(executionId: ExecutionId, bill?: bigint, told: JsonObject = {}): Promise<void> {
    const { accountId } = this;
    const success = bill !== undefined;
    const type = success ? 'ExecutionCompleted' : 'ExecutionInterrupted';
    const ended = terminalEvent({ executionId, accountId, type, success, bill: bill ?? 0n, nowMs: this.clock.nowMs() });
    const event = { ...ended, data: { ...ended.data, ...told } };
    await inTransaction(this.pool, (tx) => settleExecutions(tx, [event], this.clock));
  }

  /** A call that is held and charged. */
  async call(amount: bigint, told: JsonObject = {}): Promise<ExecutionId> {
    const { executionId, status } = await this.hold(amount);
    if (status !== 'held') throw new Error(`the call is ${status}`);
    await this.end(executionId, amount, told);
    return executionId;
  }

  async balance(): Promise<{ balance: number; held: number }> {
    const { rows } = await this.pool.query<{ balance: number; held: number }>(
      'SELECT balance_micro::int AS balance, held_micro::int AS held FROM account_balances WHERE account_id = $1',
      [this.accountId],
    );
    return rows[0] ?? { balance: 0, held: 0 };
  }

  /** The remainder of each lot, in burn order. */
  async lots(): Promise<number[]> {
    const { rows } = await this.pool.query<{ left: number }>(
      `SELECT remaining_micro::int AS left FROM credit_lots WHERE account_id = $1 ORDER BY expires_at NULLS LAST, granted_at, lot_id`,
      [this.accountId],
    );
    return rows.map((row) => row.left);
  }

  /** Types and amounts, oldest first. */
  async entries(): Promise<[type: string, amount: number][]> {
    const { rows } = await this.pool.query<{ type: string; amount: number }>(
      'SELECT entry_type AS type, amount_micro::int AS amount FROM ledger_entries WHERE account_id = $1 ORDER BY entry_seq',
      [this.accountId],
    );
    return rows.map(({ type, amount }) => [type, amount]);
  }
}
