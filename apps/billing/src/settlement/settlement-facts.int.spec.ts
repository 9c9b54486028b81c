import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicEventSchemas, topicNames, type EventEnvelope } from '@capability-router/contracts';
import { readAfter } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import {
  creditsFromMicro,
  newAccountId,
  newExecutionId,
  newSearchId,
  systemClock,
  type JsonObject,
} from '@capability-router/kernel';
import { applyAccountEvents } from '../grants/account-events.js';
import { placeHold } from '../holds/place-hold.js';
import { accountOpened, searchedEvent, terminalEvent } from '../test-support/events.js';
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
    return recordOf({ ...ended, data: { ...ended.data, ...over } });
  };
  const recordOf = async (event: EventEnvelope): Promise<JsonObject | undefined> => {
    await inTransaction(database.pool, (tx) => settleExecutions(tx, [event], systemClock));
    await untilReadable(database.pool);
    const { events } = await readAfter(database.pool, '', MAX_EVENTS, [topicNames.usageSettlements]);
    return events.find(({ partitionKey }) => partitionKey === event.partitionKey)?.data;
  };

  it('tells what kind of account paid, and which search it says led to the call', async () => {
    const searchId = newSearchId(NOW);
    expect(await settle({ accountKind: 'trial', searchId })).toMatchObject({ accountKind: 'trial', searchId });
  });

  it('tells whose tool was called, by which key or client, and in which session', async () => {
    const told = { providerId: 'demo', apiKeyId: randomUUID(), oauthClientId: 'client', sessionId: 'a session' };
    const settled = await settle(told);
    expect(settled).toMatchObject(told);
    const schema = publicEventSchemas.find(({ type }) => type === 'UsageSettled')?.schema;
    expect(Object.keys(schema?.['properties'] ?? {})).toEqual(expect.arrayContaining(Object.keys(settled ?? {})));
  });

  it('names a call by its execution id, as its ledger entry would', async () => {
    const settled = await settle({});
    expect(settled).toMatchObject({ sourceRefType: 'execution', sourceRefId: expect.stringMatching(/^exec_/) });
    expect(settled?.['executionId']).toBe(settled?.['sourceRefId']);
  });

  it('names a billed search by its search id, as its ledger entry does, and by no execution', async () => {
    const [accountId, searchId] = [newAccountId(NOW), newSearchId(NOW)];
    await inTransaction(database.pool, (tx) =>
      applyAccountEvents(tx, [accountOpened(accountId, 1_000_000n, NOW)], systemClock),
    );
    const at = new Date(NOW);
    await placeHold(database.pool, {
      accountId,
      billableId: searchId,
      amount: creditsFromMicro(250_000n),
      inquireAfter: at,
      now: at,
    });
    const event = searchedEvent({ searchId, accountId, success: true, bill: 250_000n, nowMs: NOW });
    const settled = await recordOf(event);
    expect(settled).toMatchObject({ sourceRefType: 'search', sourceRefId: searchId, searchId, eventType: 'search' });
    expect(settled).not.toHaveProperty('executionId');
    const { rows } = await database.pool.query(
      'SELECT source_ref_type, source_ref_id, execution_id FROM ledger_entries WHERE entry_id = $1',
      [settled?.['ledgerEntryId']],
    );
    expect(rows).toEqual([{ source_ref_type: 'search', source_ref_id: searchId, execution_id: null }]);
  });

  it('leaves out what the execution did not tell, and what is no search id', async () => {
    const settled = await settle({ searchId: 'whatever the caller wrote' });
    expect(settled).toMatchObject({ status: 'not_applicable' });
    expect(settled).not.toHaveProperty('searchId');
    expect(settled).not.toHaveProperty('accountKind');
  });
});
