import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import { newAccountId, newExecutionId, newSearchId, systemClock, type JsonObject } from '@capability-router/kernel';
import { terminalEvent } from '../test-support/events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { settleExecutions } from './settle-executions.js';

const NOW = 1_763_700_000_000;
const MAX_EVENTS = 100;

describe('the record of a settlement', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const settle = async (over: JsonObject): Promise<JsonObject | undefined> => {
    const accountId = newAccountId(NOW);
    const executionId = newExecutionId(NOW);
    const ended = terminalEvent({
      executionId,
      accountId,
      type: 'ExecutionCompleted',
      success: true,
      bill: 0n,
      nowMs: NOW,
    });
    const event = { ...ended, data: { ...ended.data, ...over } };
    await inTransaction(database.pool, (tx) => settleExecutions(tx, [event], systemClock));
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', MAX_EVENTS, [topicNames.usageSettlements]);
    return events.find(({ partitionKey }) => partitionKey === accountId)?.data;
  };

  it('tells what kind of account paid, and which search it says led to the call', async () => {
    const searchId = newSearchId(NOW);
    expect(await settle({ accountKind: 'trial', searchId })).toMatchObject({ accountKind: 'trial', searchId });
  });

  it('leaves out what the execution did not tell, and what is no search id', async () => {
    const settled = await settle({ searchId: 'whatever the caller wrote' });
    expect(settled).toMatchObject({ status: 'not_applicable' });
    expect(settled).not.toHaveProperty('searchId');
    expect(settled).not.toHaveProperty('accountKind');
  });
});
