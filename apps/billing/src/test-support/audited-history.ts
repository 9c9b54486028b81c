import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { rowToEvent, type EventRow } from '@capability-router/event-store';
import {
  creditsFromMicro,
  newAccountId,
  newExecutionId,
  newSearchId,
  type AccountId,
  type Clock,
  type SearchId,
} from '@capability-router/kernel';
import type pg from 'pg';
import { applyAccountEvents } from '../grants/account-events.js';
import type { BillableId } from '../holds/domain/billable-id.js';
import { placeHold } from '../holds/place-hold.js';
import { importModelCalls } from '../imports/import-model-calls.js';
import { refundCharge } from '../refunds/refund-charge.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { accountOpened, inspectedEvent, searchedEvent, terminalEvent } from './events.js';
import type { SeededRandom } from './random.js';
import { inTransaction } from './scratch-database.js';

const INQUIRY_AGE_MS = 90_000;
const GRANT_MICRO = 1_000_000_000_000n;
const kinds = [
  'charged',
  'free',
  'failed',
  'retry',
  'search',
  'billed search',
  'inspection',
  'inspection of another account',
  'model call',
  'refunded',
] as const;

/** Ends of calls, searches and imports of every kind, settled and brought into the audit as the consumers do it. */
export class AuditedHistory {
  readonly seen: Record<string, number> = {};
  private readonly billedSearches: { readonly accountId: AccountId; readonly searchId: SearchId }[] = [];
  private position = '0';

  private constructor(
    private readonly pool: pg.Pool,
    private readonly random: SeededRandom,
    private readonly clock: Clock,
    readonly accounts: readonly AccountId[],
  ) {}

  static async open(pool: pg.Pool, random: SeededRandom, clock: Clock, accounts: number): Promise<AuditedHistory> {
    const ids = Array.from({ length: accounts }, () => newAccountId(clock.nowMs()));
    const opened = ids.map((id) => accountOpened(id, GRANT_MICRO, clock.nowMs()));
    await inTransaction(pool, (tx) => applyAccountEvents(tx, opened, clock));
    return new AuditedHistory(pool, random, clock, ids);
  }

  /** Some ends of random kinds. The audit hears of settlements and facts in either order. */
  async add(ends: number): Promise<void> {
    const facts: EventEnvelope[] = [];
    const charged: { accountId: AccountId; of: BillableId }[] = [];
    for (let i = 0; i < ends; i += 1) {
      const kind = this.random.pick([...kinds]);
      this.seen[kind] = (this.seen[kind] ?? 0) + 1;
      const accountId = this.random.pick([...this.accounts]);
      if (kind === 'model call') await this.importCall(accountId);
      else facts.push(await this.endOf(kind, accountId, charged));
    }
    await inTransaction(this.pool, (tx) => settleExecutions(tx, facts, this.clock));
    for (const { accountId, of } of charged) {
      await inTransaction(this.pool, (tx) =>
        refundCharge(tx, { accountId, of, amount: creditsFromMicro(1_000n) }, this.clock),
      );
    }
    const batches = [facts, await this.recorded()];
    if (this.random.next() < 0.5) batches.reverse();
    for (const batch of batches) await inTransaction(this.pool, (tx) => projectUsage(tx, batch));
  }

  private async endOf(
    kind: (typeof kinds)[number],
    accountId: AccountId,
    charged: { accountId: AccountId; of: BillableId }[],
  ): Promise<EventEnvelope> {
    const nowMs = this.clock.nowMs();
    const bill = kind === 'free' ? 0n : BigInt(this.random.integer(2_000, 900_000));
    if (kind === 'search' || kind === 'billed search') {
      const searchId = newSearchId(nowMs);
      if (kind === 'billed search') {
        await this.hold(searchId, accountId, bill);
        this.billedSearches.push({ accountId, searchId });
        if (this.random.next() < 0.3) charged.push({ accountId, of: searchId });
      }
      return searchedEvent({ searchId, accountId, success: true, nowMs, ...(kind === 'search' ? {} : { bill }) });
    }
    if (kind === 'inspection' || kind === 'inspection of another account') {
      return inspectedEvent({ searchId: this.searchToName(accountId, kind === 'inspection'), accountId, nowMs });
    }
    const executionId = newExecutionId(nowMs);
    const success = kind !== 'failed' && kind !== 'retry';
    if (bill > 0n && kind !== 'retry') await this.hold(executionId, accountId, bill);
    if (kind === 'refunded') charged.push({ accountId, of: executionId });
    const type = success ? 'ExecutionCompleted' : kind === 'retry' ? 'ExecutionRefused' : 'ExecutionInterrupted';
    const event = terminalEvent({ executionId, accountId, type, success, bill, nowMs });
    const texts = {
      sessionId: `session ${this.random.integer(1, 9)}`,
      errorMessage: success ? undefined : 'late “end”',
    };
    const data = { ...event.data, ...texts, ...(kind === 'retry' ? { dispatched: false, httpStatusCode: 503 } : {}) };
    return { ...event, data: JSON.parse(JSON.stringify(data)) as EventEnvelope['data'] };
  }

  /** A billed search of the account or of another one; a new id where there is none yet. */
  private searchToName(accountId: AccountId, ofItsOwn: boolean): SearchId {
    const searches = this.billedSearches.filter((search) => (search.accountId === accountId) === ofItsOwn);
    return searches.length === 0 ? newSearchId(this.clock.nowMs()) : this.random.pick(searches).searchId;
  }

  private async hold(billableId: BillableId, accountId: AccountId, bill: bigint): Promise<void> {
    const now = new Date(this.clock.nowMs());
    const inquireAfter = new Date(now.getTime() + INQUIRY_AGE_MS);
    const amount = creditsFromMicro(bill);
    const { status } = await placeHold(this.pool, {
      billableId,
      accountId,
      amount,
      inquireAfter,
      now,
    });
    if (status !== 'held') throw new Error(`the hold of ${billableId} was answered ${status}`);
  }

  private async importCall(accountId: AccountId): Promise<void> {
    const importId = `call-${this.random.integer(0, 1_000_000_000)}`;
    const call = {
      importId,
      accountId,
      model: 'm-1',
      success: true,
      reasonCode: 'result.valid',
      amount: creditsFromMicro(5_000n),
      inputTokens: 10,
      outputTokens: 20,
      occurredMs: this.clock.nowMs() - 1_000,
      inputHash: importId,
    };
    await importModelCalls(this.pool, [call], this.clock);
  }

  /** The events that billing itself has recorded since. */
  private async recorded(): Promise<EventEnvelope[]> {
    const { rows } = await this.pool.query<EventRow>(
      'SELECT * FROM events WHERE position > $1 AND topic = ANY($2) ORDER BY position',
      [this.position, [topicNames.usageSettlements, topicNames.usageRecords]],
    );
    const { rows: last } = await this.pool.query<{ position: string }>('SELECT max(position) AS position FROM events');
    this.position = last[0]?.position ?? this.position;
    return rows.map(rowToEvent);
  }
}

/** The rows of the audit as text, in the order of their ids. */
export async function auditRows(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>('SELECT u::text AS row FROM usage_events u ORDER BY id');
  return rows.map(({ row }) => row);
}
