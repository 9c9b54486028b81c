import { checkInvariants, type InvariantViolation } from '@capability-router/billing/books';
import type { PriceRule, ToolContract } from '@capability-router/contracts';
import { booksEnvironment, type StackState } from '@capability-router/tools-stack';
import pg from 'pg';
import { caprouter } from './caprouter.js';
import { pause } from './load.js';

/** Milliseconds. */
const WATERMARK_TIMEOUT_MS = 180_000;
const WATERMARK_DELAY_MS = 5_000;
const WATERMARK_PAUSE_MS = 500;

/** A tool as execution runs it. */
export interface ToolCopy {
  readonly toolId: string;
  readonly version: number;
  readonly price: PriceRule;
}

/** The state of the databases after a fault, read with the owner's rights and never through the services. */
export class Books {
  private readonly billing: pg.Pool;
  private readonly execution: pg.Pool;

  constructor(private readonly stack: StackState) {
    this.billing = poolOf(stack.databases.billing.ownerUrl);
    this.execution = poolOf(stack.databases.execution.ownerUrl);
  }

  async close(): Promise<void> {
    await Promise.all([this.billing.end(), this.execution.end()]);
  }

  invariants(): Promise<InvariantViolation[]> {
    return checkInvariants(this.billing);
  }

  /** The faults that `caprouter ledger verify` finds. */
  async verified(): Promise<unknown[]> {
    return (await caprouter(['ledger', 'verify'], booksEnvironment(this.stack)))['findings'] as unknown[];
  }

  /**
   * The differences that `caprouter reconcile` finds in everything since `fromMs`; empty where all agree. Asks again until the settlement
   * watermark has passed `untilMs`. Both in milliseconds since the epoch.
   */
  async reconciled(fromMs: number, untilMs: number): Promise<unknown[]> {
    const deadline = performance.now() + WATERMARK_TIMEOUT_MS;
    for (;;) {
      // The watermark is never later than a few seconds ago, so an earlier question would be asked in vain.
      await pause(Math.max(0, untilMs + WATERMARK_DELAY_MS - Date.now()));
      const report = await caprouter(
        ['reconcile', '--from', new Date(fromMs).toISOString()],
        booksEnvironment(this.stack),
      );
      const to = String(report['to']);
      if (Date.parse(to) >= untilMs) return report['differences'] as unknown[];
      if (performance.now() > deadline) throw new Error(`the watermark stands at ${to}`);
      await pause(WATERMARK_PAUSE_MS);
    }
  }

  async openHolds(accounts: readonly string[]): Promise<number> {
    return count(
      this.billing,
      `SELECT count(*) AS n FROM holds WHERE state = 'open' AND account_id = ANY($1)`,
      accounts,
    );
  }

  /** The available credits of each account, in micro-credits. */
  async available(accounts: readonly string[]): Promise<Map<string, bigint>> {
    const { rows } = await this.billing.query<{ id: string; available: string }>(
      'SELECT account_id AS id, balance_micro - held_micro AS available FROM account_balances WHERE account_id = ANY($1)',
      [accounts],
    );
    return new Map(rows.map((row) => [row.id, BigInt(row.available)]));
  }

  /** Executions with a start and no end. */
  async running(accounts: readonly string[]): Promise<number> {
    return count(
      this.execution,
      `SELECT count(*) AS n FROM events s WHERE s.type = 'ExecutionStarted' AND s.partition_key = ANY($1)
        AND NOT EXISTS (SELECT 1 FROM events e WHERE e.stream_id = s.stream_id AND e.sequence > s.sequence)`,
      accounts,
    );
  }

  /**
   * The end of each execution by id, with the bill of a completed one in micro-credits; one that was not dispatched leaves
   * no audit row. Throws where one ended twice.
   */
  async ends(accounts: readonly string[]): Promise<Map<string, { type: string; billMicro: bigint; audited: boolean }>> {
    const { rows } = await this.execution.query<{
      id: string;
      type: string;
      bill: string;
      billable: boolean;
      undispatched: boolean | null;
    }>(
      `SELECT data->>'executionId' AS id, type, data->'bill'->>'listAmountMicroCredits' AS bill,
              (data->'outcome'->>'billableSuccess')::boolean AS billable, data->'dispatched' = 'false' AS undispatched
         FROM events WHERE type IN ('ExecutionCompleted', 'ExecutionRefused', 'ExecutionInterrupted') AND partition_key = ANY($1)`,
      [accounts],
    );
    const ends = new Map<string, { type: string; billMicro: bigint; audited: boolean }>();
    for (const row of rows) {
      if (ends.has(row.id)) throw new Error(`${row.id} ended twice`);
      ends.set(row.id, {
        type: row.type,
        billMicro: row.type === 'ExecutionCompleted' && row.billable ? BigInt(row.bill) : 0n,
        audited: row.undispatched !== true,
      });
    }
    return ends;
  }

  /** The tools that execution knows of these, in this order. */
  async toolCopies(toolIds: readonly string[]): Promise<ToolCopy[]> {
    const { rows } = await this.execution.query<{ contract: ToolContract }>(
      'SELECT contract FROM tool_copies WHERE tool_id = ANY($1) AND NOT retired ORDER BY array_position($1::text[], tool_id)',
      [toolIds],
    );
    return rows.map(({ contract: { toolId, version, price } }) => ({ toolId, version, price }));
  }

  /** Charges of the ledger by execution. Throws where one execution was charged twice. */
  async charges(accounts: readonly string[]): Promise<Map<string, bigint>> {
    const { rows } = await this.billing.query<{ id: string; amount: string }>(
      'SELECT execution_id AS id, -amount_micro AS amount FROM ledger_entries WHERE amount_micro < 0 AND account_id = ANY($1)',
      [accounts],
    );
    const charges = new Map<string, bigint>();
    for (const row of rows) {
      if (charges.has(row.id)) throw new Error(`${row.id} was charged twice`);
      charges.set(row.id, BigInt(row.amount));
    }
    return charges;
  }

  /** The account of each charge of the ledger, by execution. */
  async charged(accounts: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await this.billing.query<{ id: string; account: string }>(
      'SELECT execution_id AS id, account_id AS account FROM ledger_entries WHERE amount_micro < 0 AND account_id = ANY($1)',
      [accounts],
    );
    return new Map(rows.map((row) => [row.id, row.account]));
  }

  async entryIds(accounts: readonly string[]): Promise<string[]> {
    const { rows } = await this.billing.query<{ entry_id: string }>(
      'SELECT entry_id FROM ledger_entries WHERE account_id = ANY($1) ORDER BY entry_id',
      [accounts],
    );
    return rows.map((row) => row.entry_id);
  }

  /** Audit rows of executions by id: their final amounts. */
  async audited(accounts: readonly string[]): Promise<Map<string, bigint>> {
    const { rows } = await this.billing.query<{ id: string; amount: string }>(
      `SELECT execution_id AS id, effective_micro AS amount FROM usage_events
        WHERE recorded AND settlement_status IS NOT NULL AND account_id = ANY($1)`,
      [accounts],
    );
    return new Map(rows.map((row) => [row.id, BigInt(row.amount)]));
  }
}

function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 2 });
  // An idle connection ends with a server that a test kills; the next query opens another.
  pool.on('error', () => undefined);
  return pool;
}

async function count(pool: pg.Pool, sql: string, accounts: readonly string[]): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(sql, [accounts]);
  return Number(rows[0]?.n ?? 0);
}
