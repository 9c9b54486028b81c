// This file is long because every difference needs rows in three databases, and one fixture that writes them.
/** @postgres-versions Cursors read three databases in order. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appendOnlyTables, migrations } from '@capability-router/billing';
import { topicNames } from '@capability-router/contracts';
import { appendToStream } from '@capability-router/event-store';
import { createScratchDatabase, type ScratchDatabase, untilReadable } from '@capability-router/event-store/testing';
import {
  newAccountId,
  newExecutionId,
  newLedgerEntryId,
  newSearchId,
  usageEventIdOf,
  type ExecutionId,
  type SearchId,
} from '@capability-router/kernel';
import { scratchDatabasesOf } from '@capability-router/service-kit/testing';
import { reconcile, type ReconcileReport } from './reconcile.js';

const DAY_MS = 86_400_000;
const GROUPS = ['billing.settlement', 'billing.usage-audit'] as const;

/** Rows as the services write them, on the embedded bus: three databases with the schemas of their services. */
describe('reconciling three databases', () => {
  const nowMs = Date.now();
  const noonMs = nowMs - (nowMs % DAY_MS) - DAY_MS / 2;
  const accountId = newAccountId(noonMs);
  let billing: ScratchDatabase;
  let execution: ScratchDatabase;
  let registry: ScratchDatabase;

  beforeAll(async () => {
    billing = await scratchDatabasesOf({ service: 'billing', migrations, appendOnlyTables }).createScratchDatabase();
    execution = await createScratchDatabase();
    registry = await createScratchDatabase();
  }, 120_000);
  afterAll(async () => {
    for (const each of [billing, execution, registry]) await each.drop();
  });

  beforeEach(async () => {
    const client = await billing.owner.connect();
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
    for (const { pool } of [execution, registry]) await pool.query('DELETE FROM events');
  });

  interface Call {
    readonly id: ExecutionId | SearchId;
    readonly price: bigint;
    readonly atMs: number;
    readonly leaveOut?: readonly ('end' | 'settlement' | 'ledger' | 'audit')[];
  }

  async function book({ id, price, atMs, leaveOut = [] }: Call): Promise<void> {
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
      const { pool } = isSearch ? registry : execution;
      await appendToStream(pool, owner, stream, 0, [{ ...ended, partitionKey: accountId }]);
    }
    if (!leaveOut.includes('settlement')) {
      const data = {
        sourceRefId: id,
        accountId,
        requestedMicroCredits: price.toString(),
        settledMicroCredits: price.toString(),
        status: price > 0n ? 'settled' : 'not_applicable',
        ...(entryId === null ? {} : { ledgerEntryId: entryId }),
        effectiveAt: at,
      };
      const event = { type: 'UsageSettled', topic: topicNames.usageSettlements, partitionKey: accountId, data };
      await appendToStream(billing.pool, 'billing', `settlements:${id}`, 0, [event]);
    }
    if (entryId !== null && !leaveOut.includes('ledger')) await insertEntry(entryId, id, -price, at);
    if (!leaveOut.includes('audit')) {
      await billing.pool.query(
        `INSERT INTO usage_events (id, account_id, effective_at, recorded, event_type, execution_id, search_id, bill,
           requested_micro, settled_micro, settlement_status, ledger_entry_id)
         VALUES ($1, $2, $3, true, $4, $5, $6, $7, $8, $8, 'settled', $9)`,
        [
          usageEventIdOf(id),
          accountId,
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

  async function insertImportedRow(id: string, entryId: string, at: string): Promise<void> {
    await billing.pool.query(
      `INSERT INTO usage_events (id, account_id, effective_at, recorded, event_type, source_ref_id, requested_micro,
         settled_micro, settlement_status, ledger_entry_id)
       VALUES ($1, $2, $3, true, 'model_call', $4, 5, 5, 'settled', $5)`,
      [usageEventIdOf(`exec_${id.slice('imp_'.length)}` as ExecutionId), accountId, at, id, entryId],
    );
  }

  async function insertEntry(entryId: string, id: string, amount: bigint, at: string): Promise<void> {
    const isSearch = id.startsWith('srch_');
    const isImport = id.startsWith('imp_');
    const { rows } = await billing.pool.query<{ seq: string }>('SELECT count(*) + 1 AS seq FROM ledger_entries');
    await billing.pool.query(
      `INSERT INTO ledger_entries (entry_id, account_id, entry_seq, entry_type, amount_micro, balance_before_micro,
         balance_after_micro, source_system, source_ref_type, source_ref_id, execution_id, description, metadata,
         effective_at, created_at, previous_hash, hash, tx_order)
       VALUES ($1, $2, $3, $4, $5, 1000, 1000 + $5::bigint, 'execution', $6, $7, $8, 't', '{}', $9, $9, '', '', 1)`,
      [
        entryId,
        accountId,
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
  async function caughtUp(): Promise<void> {
    const flows = [
      [execution, topicNames.executions, GROUPS],
      [registry, topicNames.searches, GROUPS],
      [billing, topicNames.usageSettlements, GROUPS.slice(1)],
      [billing, topicNames.usageRecords, GROUPS.slice(1)],
    ] as const;
    for (const [database, topic, groups] of flows) {
      await untilReadable(database.pool);
      const { rows } = await database.pool.query<{ at: string }>(
        `SELECT tx_order || ':' || position AS at FROM events WHERE topic = $1 ORDER BY tx_order DESC, position DESC LIMIT 1`,
        [topic],
      );
      for (const group of groups) {
        await billing.pool.query(
          `INSERT INTO consumer_positions (consumer_group, topic, partition, position) VALUES ($1, $2, 0, $3)
           ON CONFLICT (consumer_group, topic, partition) DO UPDATE SET position = excluded.position`,
          [group, topic, rows[0]?.at ?? ''],
        );
      }
    }
  }

  const run = (window: { fromMs?: number; toMs?: number } = {}): Promise<ReconcileReport> =>
    reconcile({
      pools: { billing: billing.pool, execution: execution.pool, registry: registry.pool },
      topics: undefined,
      compareTopic: false,
      fromMs: window.fromMs,
      toMs: window.toMs,
    });
  const told = ({ differences }: ReconcileReport): [string, string][] => differences.map(({ kind, id }) => [kind, id]);

  it('finds calls and billed searches equal, and adds them up by entry type', async () => {
    await book({ id: newExecutionId(noonMs), price: 5n, atMs: noonMs });
    await book({ id: newExecutionId(noonMs), price: 7n, atMs: noonMs + 1 });
    await book({ id: newExecutionId(noonMs), price: 0n, atMs: noonMs + 2 });
    await book({ id: newSearchId(noonMs), price: 3n, atMs: noonMs + 3 });
    await caughtUp();
    const report = await run();
    expect(report).toEqual(expect.objectContaining({ equal: true, differences: [], topic: false }));
    const calls = { count: 2, amount: -12n };
    const searches = { count: 1, amount: -3n };
    const none = { count: 0, amount: 0n };
    expect(report.totals.byType()).toEqual([
      ['consume_tool_execute', { ledger: calls, audit: calls, executions: calls, topic: none }],
      ['consume_tool_search', { ledger: searches, audit: searches, executions: searches, topic: none }],
    ]);
    expect([report.totals.ended, report.totals.settled]).toEqual([4, 4]);
  });

  it.each([
    ['end', ['execution_unknown']],
    ['settlement', ['not_settled', 'charged_without_settlement']],
    ['ledger', ['not_charged']],
    ['audit', ['audit_missing']],
  ] as const)('names an execution of which the %s is missing, and no other', async (leaveOut, kinds) => {
    const id = newExecutionId(noonMs);
    await book({ id: newExecutionId(noonMs), price: 5n, atMs: noonMs });
    await book({ id, price: 5n, atMs: noonMs, leaveOut: [leaveOut] });
    await caughtUp();
    expect(told(await run())).toEqual(kinds.map((kind) => [kind, id]));
  });

  it.each([
    ['nothing', []],
    ['audit', ['audit_missing']],
    ['ledger', ['not_charged']],
    ['end', ['execution_unknown']],
  ] as const)('compares imported model calls as calls: %s missing', async (leaveOut, kinds) => {
    const id = `imp_${newExecutionId(noonMs).slice('exec_'.length)}`;
    const at = new Date(noonMs).toISOString();
    const entryId = newLedgerEntryId(noonMs);
    const money = { requestedMicroCredits: '5', settledMicroCredits: '5', status: 'settled', ledgerEntryId: entryId };
    const imported = { type: 'ModelCallImported', topic: topicNames.usageRecords, partitionKey: accountId };
    const settled = { type: 'UsageSettled', topic: topicNames.usageSettlements, partitionKey: accountId };
    if (leaveOut !== 'end') {
      const data = { importRef: id, requestedMicroCredits: '5', completedAt: at };
      await appendToStream(billing.pool, 'billing', id, 0, [{ ...imported, data }]);
    }
    const data = { sourceRefId: id, accountId, ...money, effectiveAt: at };
    await appendToStream(billing.pool, 'billing', `settlements:${id}`, 0, [{ ...settled, data }]);
    if (leaveOut !== 'ledger') await insertEntry(entryId, id, -5n, at);
    if (leaveOut !== 'audit') await insertImportedRow(id, entryId, at);
    await caughtUp();
    const report = await run();
    expect(told(report)).toEqual(kinds.map((kind) => [kind, id]));
    const [, total] = report.totals.byType().find(([type]) => type === 'consume_model_call') ?? [];
    expect(total?.audit.count).toBe(leaveOut === 'audit' ? 0 : 1);
  });

  it('compares what was refunded of a charge with what the audit says, up to the watermark', async () => {
    const id = newExecutionId(noonMs);
    await book({ id, price: 5n, atMs: noonMs });
    await caughtUp();
    const restore = (atMs: number) =>
      billing.pool.query(
        `INSERT INTO lot_restores (ledger_entry_id, lot_id, unwound_entry_id, amount_micro)
         SELECT $1, 'lot', entry_id, 2 FROM ledger_entries`,
        [newLedgerEntryId(atMs)],
      );
    // Booked a moment ago: the audit may not have heard of it.
    await restore(Date.now());
    expect(told(await run())).toEqual([]);
    await restore(noonMs + 1);
    expect(told(await run())).toEqual([['audit_differs', id]]);
    await billing.pool.query('UPDATE usage_events SET refunded_micro = 4');
    expect(told(await run())).toEqual([]);
    await billing.pool.query('UPDATE usage_events SET refunded_micro = 5');
    expect(told(await run())).toEqual([['audit_differs', id]]);
  });

  it('looks at what took effect in the window, whenever it began', async () => {
    const lost = newExecutionId(noonMs);
    await book({ id: lost, price: 5n, atMs: noonMs, leaveOut: ['ledger'] });
    // Execution was down for three days; the call ended when it came back.
    await book({ id: newExecutionId(noonMs - 3 * DAY_MS), price: 5n, atMs: noonMs + 1_000 });
    await caughtUp();
    expect(told(await run({ fromMs: noonMs + 1_000, toMs: noonMs + 2_000 }))).toEqual([]);
    expect((await run({ fromMs: noonMs + 1_000, toMs: noonMs + 2_000 })).totals.ended).toBe(1);
    expect(told(await run({ fromMs: noonMs, toMs: noonMs + 1_000 }))).toEqual([['not_charged', lost]]);
    expect((await run({ fromMs: noonMs - 1_000, toMs: noonMs })).totals.ended).toBe(0);
  });

  it('stops at the settlement watermark: what billing has yet to read is no difference', async () => {
    await book({ id: newExecutionId(noonMs), price: 5n, atMs: noonMs });
    await caughtUp();
    const waiting = newExecutionId(noonMs);
    await book({ id: waiting, price: 5n, atMs: noonMs + 5_000, leaveOut: ['settlement', 'ledger', 'audit'] });
    const report = await run();
    expect(report).toEqual(expect.objectContaining({ equal: true, watermarkMs: noonMs + 5_000, toMs: noonMs + 5_000 }));
    await caughtUp();
    expect(told(await run())).toEqual([
      ['not_settled', waiting],
      ['audit_missing', waiting],
    ]);
  });

  it('says of what is parked where it waits and why', async () => {
    const id = newExecutionId(noonMs);
    await book({ id, price: 5n, atMs: noonMs, leaveOut: ['settlement', 'ledger', 'audit'] });
    await caughtUp();
    await billing.pool.query(
      `INSERT INTO parked_events (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
       VALUES ('billing.settlement', $1, $2, gen_random_uuid(), 0, '1:1', $3, 'broken')`,
      [topicNames.executions, accountId, JSON.stringify({ subject: id })],
    );
    const { differences } = await run();
    expect(differences.map(({ detail }) => detail)).toEqual([
      'it ended, and was not settled; parked in billing.settlement: broken',
      'it has no audit row; parked in billing.settlement: broken',
    ]);
  });
});
