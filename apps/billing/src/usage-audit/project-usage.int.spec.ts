import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import {
  creditsFromMicro,
  ManualClock,
  newAccountId,
  newExecutionId,
  newSearchId,
  toIso,
  usageEventIdOf,
  uuidv7,
  type AccountId,
  type ExecutionId,
} from '@capability-router/kernel';
import { applyAccountEvents } from '../grants/account-events.js';
import { placeHold } from '../holds/place-hold.js';
import { checkInvariants } from '../invariants/check-invariants.js';
import { listLedger } from '../ledger/ledger-queries.sql.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { accountOpened, searchedEvent, terminalEvent } from '../test-support/events.js';
import {
  createScratchDatabase,
  inTransaction,
  PATIENT_MS,
  type ScratchDatabase,
} from '../test-support/scratch-database.js';
import { projectUsage } from './project-usage.js';
import { usageEventView } from './usage-event-view.js';
import { findUsage, listUsage } from './usage-queries.sql.js';

const NOW = 1_763_700_000_000;

/** As builds recorded it before there was `sourceRefType`: such records stay in the topic and must be read. */
function settledEvent(executionId: ExecutionId, accountId: AccountId, micro: bigint): EventEnvelope {
  return {
    id: uuidv7(NOW),
    type: 'UsageSettled',
    source: 'billing',
    subject: `settlements:${accountId}`,
    sequence: 1,
    time: toIso(NOW),
    topic: topicNames.usageSettlements,
    partitionKey: accountId,
    data: {
      executionId,
      usageEventId: usageEventIdOf(executionId),
      accountId,
      settlementSeq: 1,
      eventType: 'tool_execute',
      success: true,
      reasonCode: 'result.valid',
      status: 'settled',
      requestedMicroCredits: micro.toString(),
      settledMicroCredits: micro.toString(),
      ledgerEntryId: 'led_1',
      effectiveAt: toIso(NOW),
      settledAt: toIso(NOW),
    },
  };
}

describe('the usage audit', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const project = (events: EventEnvelope[]): Promise<void> =>
    inTransaction(database.pool, (tx) => projectUsage(tx, events));

  it.each(['usage first', 'settlement first', 'both in parallel', 'one batch, twice'])(
    'shows the same row whatever order the facts arrive in: %s',
    async (order) => {
      const accountId = newAccountId(NOW);
      const executionId = newExecutionId(NOW);
      const usage = terminalEvent({
        executionId,
        accountId,
        type: 'ExecutionCompleted',
        success: true,
        bill: 2_500_000n,
        nowMs: NOW,
      });
      const settled = settledEvent(executionId, accountId, 2_500_000n);
      if (order === 'usage first') {
        await project([usage]);
        const pending = await findUsage(database.pool, accountId, usageEventIdOf(executionId));
        expect(pending && usageEventView(pending)).toMatchObject({
          billing_snapshot_status: 'pending',
          charge_outcome: 'charged',
          settled_amount_credits: null,
        });
        await project([settled]);
      } else if (order === 'settlement first') {
        await project([settled]);
        expect(await findUsage(database.pool, accountId, usageEventIdOf(executionId))).toBeUndefined();
        await project([usage]);
      } else if (order === 'both in parallel') {
        await Promise.all([project([usage]), project([settled])]);
      } else {
        await project([usage, settled, usage]);
        await project([settled, usage]);
      }
      const { rows, total } = await listUsage(
        database.pool,
        accountId,
        { window: {}, execution_id: executionId },
        { page: 1, rows: 50, offset: 0 },
        PATIENT_MS,
      );
      expect(total).toBe(1);
      expect(rows.map((row) => usageEventView(row))).toMatchObject([
        {
          id: usageEventIdOf(executionId),
          billing_snapshot_status: 'settled',
          charge_outcome: 'charged',
          settled_amount_credits: 2.5,
          actual_amount_credits: 2.5,
          credits_ledger_entry_id: 'led_1',
        },
      ]);
    },
  );

  it.each([
    ['that was charged', 10_000n, { charge_outcome: 'charged', settled_amount_credits: 0.01, status: 'settled' }],
    ['that found nothing', 0n, { charge_outcome: 'included', settled_amount_credits: 0, status: 'not_applicable' }],
  ])('shows a billed search %s with its bill and its place in the ledger', async (_name, bill, expected) => {
    const accountId = newAccountId(NOW);
    const searchId = newSearchId(NOW);
    const opened = accountOpened(accountId, 1_000_000n, NOW);
    const clock = new ManualClock(NOW);
    await inTransaction(database.pool, (tx) => applyAccountEvents(tx, [opened], clock));
    const now = new Date(NOW);
    const held = { billableId: searchId, accountId, amount: creditsFromMicro(10_000n) };
    await placeHold(database.pool, { ...held, inquireAfter: now, now });
    const searched = searchedEvent({ searchId, accountId, success: true, bill, nowMs: NOW });

    await project([searched]);
    const pending = await findUsage(database.pool, accountId, usageEventIdOf(searchId));
    expect(pending && usageEventView(pending)).toMatchObject({
      event_type: 'search',
      source_system: 'registry',
      billing_snapshot_status: bill === 0n ? 'not_applicable' : 'pending',
      requested_amount_credits: Number(bill) / 1e6,
    });

    for (let delivery = 0; delivery < 2; delivery += 1) {
      await inTransaction(database.pool, (tx) => settleExecutions(tx, [searched, searched], clock));
    }
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', 1_000, [topicNames.usageSettlements]);
    const settlements = events.filter((event) => event.partitionKey === accountId);
    expect(settlements.map((event) => event.data)).toMatchObject([{ eventType: 'search', searchId, settlementSeq: 1 }]);
    expect(settlements[0]?.data).not.toHaveProperty('executionId');
    await project(settlements);

    const row = await findUsage(database.pool, accountId, usageEventIdOf(searchId));
    const ledger = await listLedger(
      database.pool,
      accountId,
      { window: {}, sign: '<' },
      { page: 1, rows: 9, offset: 0 },
      PATIENT_MS,
    );
    const { status, ...view } = expected;
    expect(row && usageEventView(row)).toMatchObject({
      ...view,
      search_id: searchId,
      execution_id: null,
      settlement_result: { status },
      billing_snapshot_status: bill === 0n ? 'not_applicable' : 'settled',
      unit_price_credits: Number(bill) / 1e6,
      credits_ledger_entry_id: ledger.rows[0]?.entryId ?? null,
    });
    expect(ledger.rows).toHaveLength(bill === 0n ? 0 : 1);
    if (bill > 0n) {
      expect(ledger.rows).toMatchObject([
        {
          entryType: 'consume_tool_search',
          amount: -bill,
          sourceSystem: 'registry',
          sourceRefType: 'search',
          sourceRefId: searchId,
          executionId: null,
          metadata: { search_id: searchId },
        },
      ]);
    }
    const { rows } = await database.pool.query(
      'SELECT h.state, b.held_micro FROM holds h JOIN account_balances b USING (account_id) WHERE h.execution_id = $1',
      [searchId],
    );
    expect(rows).toEqual([{ state: bill === 0n ? 'released' : 'captured', held_micro: '0' }]);
    expect(await checkInvariants(database.pool)).toEqual([]);
  });

  const older = { httpStatusCode: 503 };
  it.each([
    ['fact', { dispatched: false }],
    ['settlement', { dispatched: false }],
    ['fact', older],
    ['settlement', older],
  ])('of a call that was not dispatched keeps no row, first the %s, which says %j', async (first, said) => {
    const accountId = newAccountId(NOW);
    const executionId = newExecutionId(NOW);
    const ended = terminalEvent({
      executionId,
      accountId,
      type: 'ExecutionRefused',
      success: false,
      bill: 0n,
      nowMs: NOW,
    });
    const refused = { ...ended, data: { ...ended.data, ...said } };
    await inTransaction(database.pool, (tx) => settleExecutions(tx, [refused], new ManualClock(NOW)));
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', 1_000, [topicNames.usageSettlements]);
    const settlements = events.filter((event) => event.partitionKey === accountId);
    expect(settlements.map((event) => event.data)).toMatchObject([{ executionId, audited: false }]);
    for (const batch of first === 'fact' ? [[refused], settlements] : [settlements, [refused]]) await project(batch);
    const { rows } = await database.pool.query('SELECT 1 FROM usage_events WHERE account_id = $1', [accountId]);
    expect(rows).toEqual([]);
  });

  it('of a free search needs no settlement, and settling it writes nothing', async () => {
    const accountId = newAccountId(NOW);
    const searchId = newSearchId(NOW);
    const searched = searchedEvent({ searchId, accountId, success: true, nowMs: NOW });
    await inTransaction(database.pool, (tx) => settleExecutions(tx, [searched], new ManualClock(NOW)));
    await project([searched]);
    const row = await findUsage(database.pool, accountId, usageEventIdOf(searchId));
    expect(row && usageEventView(row)).toMatchObject({
      charge_outcome: 'included',
      billing_snapshot_status: 'not_applicable',
      pre_settlement_bill: null,
      requested_amount_credits: 0,
    });
    const { rows } = await database.pool.query('SELECT 1 FROM ledger_heads WHERE account_id = $1', [accountId]);
    expect(rows).toEqual([]);
  });
});
