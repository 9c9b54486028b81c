import { appendOnlyTables, migrations } from '@capability-router/billing';
import { topicNames } from '@capability-router/contracts';
import { appendToStream } from '@capability-router/event-store';
import { createScratchDatabase, type ScratchDatabase, untilReadable } from '@capability-router/event-store/testing';
import {
  newLedgerEntryId,
  usageEventIdOf,
  uuidv7,
  type AccountId,
  type ExecutionId,
  type SearchId,
} from '@capability-router/kernel';
import { scratchDatabasesOf } from '@capability-router/service-kit/testing';

const GROUPS = ['billing.settlement', 'billing.usage-audit'] as const;

export interface Call {
  readonly id: ExecutionId | SearchId;
  /** Micro-credits. */
  readonly price: bigint;
  readonly atMs: number;
  /** Records that a fault has lost. */
  readonly leaveOut?: readonly ('end' | 'settlement' | 'ledger' | 'audit')[];
}

/** Rows as the services write them, on the embedded bus: three databases with the schemas of their services. */
export class ThreeDatabases {
  private constructor(
    readonly accountId: AccountId,
    readonly billing: ScratchDatabase,
    readonly execution: ScratchDatabase,
    readonly registry: ScratchDatabase,
  ) {}

  static async create(accountId: AccountId): Promise<ThreeDatabases> {
    const billing = scratchDatabasesOf({ service: 'billing', migrations, appendOnlyTables });
    return new ThreeDatabases(
      accountId,
      await billing.createScratchDatabase(),
      await createScratchDatabase(),
      await createScratchDatabase(),
    );
  }

  async drop(): Promise<void> {
    for (const each of [this.billing, this.execution, this.registry]) await each.drop();
  }

  async empty(): Promise<void> {
    const client = await this.billing.owner.connect();
    try {
      await client.query('SET session_replication_role = replica');
      const tables = [
        'events',
        'ledger_entries',
        'usage_events',
        'lot_restores',
        'consumer_positions',
        'parked_events',
      ];
      for (const table of tables) {
        await client.query(`DELETE FROM ${table}`);
      }
      await client.query('SET session_replication_role = DEFAULT');
    } finally {
      client.release();
    }
    for (const { pool } of [this.execution, this.registry]) await pool.query('DELETE FROM events');
  }

  /** Everything that a call or a billed search leaves behind. */
  async book({ id, price, atMs, leaveOut = [] }: Call): Promise<void> {
    const at = new Date(atMs).toISOString();
    const isSearch = id.startsWith('srch_');
    const entryId = price > 0n ? newLedgerEntryId(atMs) : null;
    const bill = { listAmountMicroCredits: price.toString() };
    if (!leaveOut.includes('end')) {
      const ended = isSearch
        ? {
            type: 'ToolsSearched',
            topic: topicNames.searches,
            data: { searchId: id, success: true, bill, completedAt: at },
          }
        : {
            type: 'ExecutionCompleted',
            topic: topicNames.executions,
            data: { bill, outcome: { billableSuccess: true }, httpStatusCode: 200, completedAt: at },
          };
      const owner = isSearch ? 'registry' : 'execution';
      const stream = isSearch ? usageEventIdOf(id) : id;
      const { pool } = isSearch ? this.registry : this.execution;
      await appendToStream(pool, owner, stream, 0, [{ ...ended, partitionKey: this.accountId }]);
    }
    if (!leaveOut.includes('settlement')) {
      const data = {
        sourceRefId: id,
        accountId: this.accountId,
        requestedMicroCredits: price.toString(),
        settledMicroCredits: price.toString(),
        status: price > 0n ? 'settled' : 'not_applicable',
        ...(entryId === null ? {} : { ledgerEntryId: entryId }),
        effectiveAt: at,
      };
      const event = { type: 'UsageSettled', topic: topicNames.usageSettlements, partitionKey: this.accountId, data };
      await appendToStream(this.billing.pool, 'billing', `settlements:${id}`, 0, [event]);
    }
    if (entryId !== null && !leaveOut.includes('ledger')) await this.insertEntry(entryId, id, -price, at);
    if (!leaveOut.includes('audit')) {
      await this.billing.pool.query(
        `INSERT INTO usage_events (id, account_id, effective_at, recorded, event_type, execution_id, search_id, bill,
           requested_micro, settled_micro, settlement_status, ledger_entry_id)
         VALUES ($1, $2, $3, true, $4, $5, $6, $7, $8, $8, 'settled', $9)`,
        [
          usageEventIdOf(id),
          this.accountId,
          at,
          isSearch ? 'search' : 'tool_execute',
          isSearch ? null : id,
          isSearch ? id : null,
          JSON.stringify(bill),
          price.toString(),
          entryId,
        ],
      );
    }
  }

  async insertImportedRow(id: string, entryId: string, at: string): Promise<void> {
    await this.billing.pool.query(
      `INSERT INTO usage_events (id, account_id, effective_at, recorded, event_type, source_ref_id, requested_micro,
         settled_micro, settlement_status, ledger_entry_id)
       VALUES ($1, $2, $3, true, 'model_call', $4, 5, 5, 'settled', $5)`,
      [usageEventIdOf(`exec_${id.slice('imp_'.length)}` as ExecutionId), this.accountId, at, id, entryId],
    );
  }

  /** A row of an inspection that names a search; `settled` is what it says to have cost, null where it says nothing. */
  async insertInspection(
    row: { readonly searchId: SearchId; readonly accountId: AccountId; readonly settled: bigint | null },
    atMs: number,
  ): Promise<void> {
    await this.billing.pool.query(
      `INSERT INTO usage_events (id, account_id, effective_at, recorded, event_type, source_ref_id, search_id, requested_micro,
         settled_micro)
       VALUES ($1, $2, $3, true, 'search_by_ids', $4, $4, 0, $5)`,
      [uuidv7(atMs), row.accountId, new Date(atMs).toISOString(), row.searchId, row.settled?.toString() ?? null],
    );
  }

  async insertEntry(entryId: string, id: string, amount: bigint, at: string): Promise<void> {
    const isSearch = id.startsWith('srch_');
    const isImport = id.startsWith('imp_');
    const { rows } = await this.billing.pool.query<{ seq: string }>('SELECT count(*) + 1 AS seq FROM ledger_entries');
    await this.billing.pool.query(
      `INSERT INTO ledger_entries (entry_id, account_id, entry_seq, entry_type, amount_micro, balance_before_micro,
         balance_after_micro, source_system, source_ref_type, source_ref_id, execution_id, description, metadata,
         effective_at, created_at, previous_hash, hash, tx_order)
       VALUES ($1, $2, $3, $4, $5, 1000, 1000 + $5::bigint, 'execution', $6, $7, $8, 't', '{}', $9, $9, '', '', 1)`,
      [
        entryId,
        this.accountId,
        rows[0]?.seq,
        isImport ? 'consume_model_call' : isSearch ? 'consume_tool_search' : 'consume_tool_execute',
        amount.toString(),
        isImport ? 'import' : isSearch ? 'search' : 'execution',
        id,
        isSearch || isImport ? null : id,
        at,
      ],
    );
  }

  /** Billing has read everything that is there now. */
  async caughtUp(): Promise<void> {
    const flows = [
      [this.execution, topicNames.executions, GROUPS],
      [this.registry, topicNames.searches, GROUPS],
      [this.billing, topicNames.usageSettlements, GROUPS.slice(1)],
      [this.billing, topicNames.usageRecords, GROUPS.slice(1)],
    ] as const;
    for (const [database, topic, groups] of flows) {
      await untilReadable(database.pool);
      const { rows } = await database.pool.query<{ at: string }>(
        `SELECT tx_order || ':' || position AS at FROM events WHERE topic = $1 ORDER BY tx_order DESC, position DESC LIMIT 1`,
        [topic],
      );
      for (const group of groups) {
        await this.billing.pool.query(
          `INSERT INTO consumer_positions (consumer_group, topic, partition, position) VALUES ($1, $2, 0, $3)
           ON CONFLICT (consumer_group, topic, partition) DO UPDATE SET position = excluded.position`,
          [group, topic, rows[0]?.at ?? ''],
        );
      }
    }
  }
}
