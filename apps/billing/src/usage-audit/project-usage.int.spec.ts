import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import {
  newAccountId,
  newExecutionId,
  toIso,
  usageEventIdOf,
  uuidv7,
  type AccountId,
  type ExecutionId,
} from '@capability-router/kernel';
import { terminalEvent } from '../test-support/events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { projectUsage } from './project-usage.js';
import { usageEventView } from './usage-event-view.js';
import { findUsage, listUsage } from './usage-queries.js';

const NOW = 1_763_700_000_000;

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
});
