import type { CredentialBudgets, PlaceHoldResponse } from '@capability-router/contracts';
import {
  creditsFromMicro,
  newAccountId,
  newApiKeyId,
  newExecutionId,
  systemClock,
  type AccountId,
  type ExecutionId,
} from '@capability-router/kernel';
import pg from 'pg';
import { budgetsOfCredential } from '../budgets/domain/budgets-of-credential.js';
import { applyAccountEvents } from '../grants/account-events.js';
import { placeHold } from '../holds/place-hold.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { accountOpened, terminalEvent } from './events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from './scratch-database.js';

/** Micro-credits of one call. */
export const PRICE = 1_000_000n;
/** The day of the holds. */
export const NOON = Date.UTC(2026, 2, 31, 12);
const CONNECTIONS = 20;

const inCalls = (micro: string): number => Number(micro) / Number(PRICE);
export const limitOf = (calls: bigint): string => (PRICE * calls).toString();
export const perKey = (calls: bigint, period: 'total' | 'day' | 'month' = 'total'): CredentialBudgets => ({
  key: { limitMicroCredits: limitOf(calls), period },
});
export const perSession = (calls: bigint): CredentialBudgets => ({ session: { limitMicroCredits: limitOf(calls) } });

export const perToken = (tokenId: string, calls: bigint): CredentialBudgets => ({
  delegation: { tokenId, limitMicroCredits: limitOf(calls) },
});

export const perProject = (calls: bigint): CredentialBudgets => ({
  project: { limitMicroCredits: limitOf(calls), period: 'month' },
});

export interface WantedHold {
  readonly accountId: AccountId;
  readonly apiKeyId?: string;
  readonly projectId?: string;
  readonly budgets: CredentialBudgets;
  readonly sessionId?: string;
  readonly amount?: bigint;
  readonly executionId?: ExecutionId;
  readonly nowMs?: number;
  readonly pool?: pg.Pool;
}

/** Holds of keys with budgets, on a database of their own that two replicas of billing are connected to. */
export class BudgetedHolds {
  private constructor(
    private readonly database: ScratchDatabase,
    /** The other one's connections. */
    readonly replica: pg.Pool,
  ) {}

  static async start(): Promise<BudgetedHolds> {
    const database = await createScratchDatabase(CONNECTIONS);
    const replica = new pg.Pool({ ...database.pool.options, max: CONNECTIONS });
    replica.on('error', () => undefined);
    return new BudgetedHolds(database, replica);
  }

  get pool(): pg.Pool {
    return this.database.pool;
  }

  async stop(): Promise<void> {
    await this.replica.end();
    await this.database.drop();
  }

  /** One replica or the other. */
  poolOf(turn: number): pg.Pool {
    return turn % 2 === 0 ? this.pool : this.replica;
  }

  /** Opens all connections, so that what follows comes at once. */
  async connectAll(): Promise<void> {
    const turns = Array.from({ length: 2 * CONNECTIONS }, (_, turn) =>
      this.poolOf(turn).query('SELECT pg_sleep(0.05)'),
    );
    await Promise.all(turns);
  }

  /** An account with credits for 1,000 calls, and a key of it. */
  async someone(): Promise<{ accountId: AccountId; apiKeyId: string }> {
    const accountId = newAccountId(systemClock.nowMs());
    const event = accountOpened(accountId, PRICE * 1_000n, NOON);
    await inTransaction(this.pool, (tx) => applyAccountEvents(tx, [event], systemClock));
    return { accountId, apiKeyId: newApiKeyId(NOON) };
  }

  place({ accountId, budgets, sessionId, nowMs = NOON, ...wanted }: WantedHold): Promise<PlaceHoldResponse> {
    const now = new Date(nowMs);
    const { apiKeyId, projectId } = wanted;
    const credential = { ...(apiKeyId && { apiKeyId }), ...(projectId && { projectId }), budgets };
    return placeHold(wanted.pool ?? this.pool, {
      accountId,
      billableId: wanted.executionId ?? newExecutionId(systemClock.nowMs()),
      amount: creditsFromMicro(wanted.amount ?? PRICE),
      inquireAfter: now,
      now,
      budgets: budgetsOfCredential(credential, sessionId, nowMs),
    });
  }

  settle(accountId: AccountId, executionId: ExecutionId, bill: bigint, pool = this.pool): Promise<void> {
    const type = 'ExecutionCompleted';
    const event = terminalEvent({ executionId, accountId, type, success: true, bill, nowMs: NOON });
    return inTransaction(pool, (tx) => settleExecutions(tx, [event], systemClock));
  }

  /** The amounts that are reserved and spent in one counter, in calls. Undefined where it is not there. */
  async counterOf(budgetId: string): Promise<[reserved: number, spent: number] | undefined> {
    const { rows } = await this.pool.query<{ reserved: string; spent: string }>(
      'SELECT reserved_micro AS reserved, spent_micro AS spent FROM budgets WHERE budget_id = $1',
      [budgetId],
    );
    return rows[0] === undefined ? undefined : [inCalls(rows[0].reserved), inCalls(rows[0].spent)];
  }

  /** The counters of the key: of each its name without the key, and what is reserved and spent, in calls. */
  async countersOf(apiKeyId: string): Promise<[name: string, reserved: number, spent: number][]> {
    const { rows } = await this.pool.query<{ budget_id: string; reserved: string; spent: string }>(
      'SELECT budget_id, reserved_micro AS reserved, spent_micro AS spent FROM budgets WHERE api_key_id = $1 ORDER BY 1',
      [apiKeyId],
    );
    return rows.map((row) => [row.budget_id.replace(`:${apiKeyId}`, ''), inCalls(row.reserved), inCalls(row.spent)]);
  }
}
