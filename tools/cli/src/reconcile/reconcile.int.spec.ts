/** @postgres-versions Cursors read three databases in order. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { appendToStream } from '@capability-router/event-store';
import { newAccountId, newExecutionId, newLedgerEntryId, newSearchId } from '@capability-router/kernel';
import { reconcile, type ReconcileProgress, type ReconcileReport } from './reconcile.js';
import { ThreeDatabases, type Call } from './test-support/three-databases.js';

const DAY_MS = 86_400_000;

describe('reconciling three databases', () => {
  const nowMs = Date.now();
  const noonMs = nowMs - (nowMs % DAY_MS) - DAY_MS / 2;
  const accountId = newAccountId(noonMs);
  let databases: ThreeDatabases;
  const book = (call: Call): Promise<void> => databases.book(call);
  const caughtUp = (): Promise<void> => databases.caughtUp();

  beforeAll(async () => {
    databases = await ThreeDatabases.create(accountId);
  }, 120_000);
  afterAll(() => databases.drop());
  beforeEach(() => databases.empty());

  const run = (
    window: { fromMs?: number; toMs?: number } = {},
    onProgress: (reached: ReconcileProgress) => void = () => undefined,
  ): Promise<ReconcileReport> =>
    reconcile({
      pools: {
        billing: databases.billing.pool,
        execution: databases.execution.pool,
        registry: databases.registry.pool,
      },
      topics: undefined,
      compareTopic: false,
      fromMs: window.fromMs,
      toMs: window.toMs,
      onProgress,
    });
  const told = ({ differences }: ReconcileReport): [string, string][] => differences.map(({ kind, id }) => [kind, id]);

  it('finds calls and billed searches equal, and adds them up by entry type', async () => {
    await book({ id: newExecutionId(noonMs), price: 5n, atMs: noonMs });
    await book({ id: newExecutionId(noonMs), price: 7n, atMs: noonMs + 1 });
    await book({ id: newExecutionId(noonMs), price: 0n, atMs: noonMs + 2 });
    await book({ id: newSearchId(noonMs), price: 3n, atMs: noonMs + 3 });
    await caughtUp();
    const reached: ReconcileProgress[] = [];
    const report = await run({}, (one) => void reached.push(one));
    expect(new Set(reached.map(({ source }) => source))).toEqual(
      new Set(['execution', 'settlement', 'ledger', 'audit', undefined]),
    );
    expect(reached.at(-1)).toEqual({ records: reached.filter(({ source }) => source).length, compared: 4 });
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
      await appendToStream(databases.billing.pool, 'billing', id, 0, [{ ...imported, data }]);
    }
    const data = { sourceRefId: id, accountId, ...money, effectiveAt: at };
    await appendToStream(databases.billing.pool, 'billing', `settlements:${id}`, 0, [{ ...settled, data }]);
    if (leaveOut !== 'ledger') await databases.insertEntry(entryId, id, -5n, at);
    if (leaveOut !== 'audit') await databases.insertImportedRow(id, entryId, at);
    await caughtUp();
    const report = await run();
    expect(told(report)).toEqual(kinds.map((kind) => [kind, id]));
    const [, total] = report.totals.byType().find(([type]) => type === 'consume_model_call') ?? [];
    expect(total?.audit.count).toBe(leaveOut === 'audit' ? 0 : 1);
  });

  it('names a billed search whose charge stands in the row of an inspection as well', async () => {
    const [own, another] = [newSearchId(noonMs), newSearchId(noonMs)];
    for (const id of [own, another]) await book({ id, price: 5n, atMs: noonMs });
    await databases.insertInspection({ searchId: own, accountId, settled: null }, noonMs);
    await caughtUp();
    expect(told(await run())).toEqual([]);
    await databases.insertInspection({ searchId: own, accountId, settled: 5n }, noonMs);
    await databases.insertInspection({ searchId: another, accountId: newAccountId(noonMs), settled: 5n }, noonMs);
    const differences = told(await run());
    expect(differences).toContainEqual(['audit_twice', own]);
    expect(differences).toContainEqual(['audit_twice', another]);
    expect(differences).toContainEqual(['charge_differs', another]);
  });

  it('compares what was refunded of a charge with what the audit says, up to the watermark', async () => {
    const id = newExecutionId(noonMs);
    await book({ id, price: 5n, atMs: noonMs });
    await caughtUp();
    const restore = (atMs: number) =>
      databases.billing.pool.query(
        `INSERT INTO lot_restores (ledger_entry_id, lot_id, unwound_entry_id, amount_micro)
         SELECT $1, 'lot', entry_id, 2 FROM ledger_entries`,
        [newLedgerEntryId(atMs)],
      );
    // Booked a moment ago: the audit may not have heard of it.
    await restore(Date.now());
    expect(told(await run())).toEqual([]);
    await restore(noonMs + 1);
    expect(told(await run())).toEqual([['audit_differs', id]]);
    await databases.billing.pool.query('UPDATE usage_events SET refunded_micro = 4');
    expect(told(await run())).toEqual([]);
    await databases.billing.pool.query('UPDATE usage_events SET refunded_micro = 5');
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
    await databases.billing.pool.query(
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
