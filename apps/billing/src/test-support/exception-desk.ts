import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { rowToEvent, type EventRow } from '@capability-router/event-store';
import {
  newExecutionId,
  toIso,
  uuidv7,
  type Clock,
  type ExecutionId,
  type JsonObject,
} from '@capability-router/kernel';
import type pg from 'pg';
import { listExceptions, type ExceptionRow } from '../exceptions/exceptions.sql.js';
import { findAnomalies } from '../exceptions/find-anomalies.js';
import { resolveException, type Resolution } from '../exceptions/resolve-exception.js';
import { checkAudit } from '../invariants/check-audit.js';
import { checkInvariants, type InvariantViolation } from '../invariants/check-invariants.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { terminalEvent } from './events.js';
import { MoneyAccount } from './money-account.js';
import { inTransaction } from './scratch-database.js';

const MINUTE_MS = 60_000;

/** Stands still until a test moves it. */
export class TestClock implements Clock {
  now = Date.now();
  nowMs = (): number => this.now;
}

export interface RevisedCall {
  readonly executionId: ExecutionId;
  /** A success with a bill. */
  readonly completed: EventEnvelope;
  /** Its later report as a failure. */
  readonly revised: EventEnvelope;
}

let commands = 0;

/** An account, its calls and its exceptions, as consumers and administrators handle them. */
export class ExceptionDesk {
  private constructor(
    private readonly pool: pg.Pool,
    private readonly clock: TestClock,
    readonly account: MoneyAccount,
  ) {}

  static async open(pool: pg.Pool, clock: TestClock): Promise<ExceptionDesk> {
    return new ExceptionDesk(pool, clock, await MoneyAccount.open(pool, clock, 1_000_000n));
  }

  settle(...events: EventEnvelope[]): Promise<void> {
    return inTransaction(this.pool, (tx) => settleExecutions(tx, events, this.clock));
  }

  audit(...events: EventEnvelope[]): Promise<void> {
    return inTransaction(this.pool, (tx) => projectUsage(tx, events));
  }

  callOf(executionId: ExecutionId, bill: bigint): RevisedCall {
    const { accountId } = this.account;
    const nowMs = this.clock.now;
    const end = terminalEvent({ executionId, accountId, type: 'ExecutionCompleted', success: true, bill, nowMs });
    const priceRule = { metering: { kind: 'call' }, amountMicroCredits: bill.toString(), unitLabel: 'call' };
    const completed = { ...end, data: { ...end.data, priceRule } };
    const data: JsonObject = {
      executionId,
      accountId,
      eventType: 'tool_execute',
      toolId: 'demo.thing.do.v1',
      outcome: 'provider_failure',
      reasonCode: 'provider.error',
      previousOutcome: 'success',
      previousReasonCode: 'result.valid',
      revisedBy: 'key_admin',
      reference: 'ticket-7',
      completedAt: toIso(nowMs),
      revisedAt: toIso(nowMs),
    };
    const of = { id: uuidv7(nowMs), type: 'ExecutionOutcomeRevised', subject: `revision:${executionId}`, sequence: 1 };
    return { executionId, completed, revised: { ...completed, ...of, data } };
  }

  /** A dispatched call that froze no price. */
  unpriced(): EventEnvelope {
    const { completed } = this.callOf(newExecutionId(this.clock.now), 0n);
    const { priceRule: _absent, ...data } = completed.data;
    return { ...completed, data };
  }

  async heldCall(bill: bigint): Promise<RevisedCall> {
    const { executionId } = await this.account.hold(bill);
    return this.callOf(executionId, bill);
  }

  /** The events by which billing has told the audit of this account. */
  async told(): Promise<EventEnvelope[]> {
    const { rows } = await this.pool.query<EventRow>(
      'SELECT * FROM events WHERE partition_key = $1 AND topic = ANY($2) ORDER BY position',
      [this.account.accountId, [topicNames.usageSettlements, topicNames.usageRecords]],
    );
    return rows.map(rowToEvent);
  }

  /** The row of the audit. */
  async row(executionId: string): Promise<Record<string, unknown>> {
    const found = await this.pool.query<Record<string, unknown>>('SELECT * FROM usage_events WHERE execution_id = $1', [
      executionId,
    ]);
    return found.rows[0] ?? {};
  }

  queue(state: 'open' | 'closed' | 'all' = 'open'): Promise<ExceptionRow[]> {
    const filter = { state, accountId: this.account.accountId };
    return listExceptions(this.pool, filter, { beforeSeq: undefined, rows: 50 });
  }

  async onlyOpen(): Promise<ExceptionRow> {
    const [first, ...others] = await this.queue();
    if (first === undefined || others.length > 0) throw new Error('not exactly one exception is open');
    return first;
  }

  resolve(exceptionId: string, resolution: Resolution, key = `x-${(commands += 1)}`): Promise<JsonObject> {
    const command = { exceptionId, resolution, reference: 'ticket-7', commandedBy: 'test', idempotencyKey: key };
    const input = { exception_id: exceptionId };
    return this.account.command(`exception_${resolution}`, (tx, at) => resolveException(tx, command, at), key, input);
  }

  /** As long as the reconciler waits: the end of a walk is set in one round and walked to in a later one. */
  async reconcile(): Promise<{ raised: number; cleared: number }> {
    const sum = { raised: 0, cleared: 0 };
    for (let round = 0; round < 3; round += 1) {
      const { raised, cleared } = await findAnomalies(this.pool, this.clock);
      sum.raised += raised;
      sum.cleared += cleared;
      this.clock.now += 2 * MINUTE_MS;
    }
    return sum;
  }

  /** The broken invariants of the money, and of revisions in the audit; empty where the books are sound. */
  async violations(): Promise<InvariantViolation[]> {
    const audited = (await checkAudit(this.pool)).filter(({ invariant }) => invariant.includes('revised'));
    return [...(await checkInvariants(this.pool)), ...audited];
  }
}
