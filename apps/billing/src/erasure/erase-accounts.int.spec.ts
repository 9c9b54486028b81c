import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { ManualClock, newAccountId, newExecutionId, newSearchId, toIso, uuidv7 } from '@capability-router/kernel';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { noteErasedAccounts } from '@capability-router/service-kit';
import { applyAccountEvents } from '../grants/account-events.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { accountOpened, searchedEvent, terminalEvent } from '../test-support/events.js';
import {
  createScratchDatabase,
  inTransaction,
  PATIENT_MS,
  type ScratchDatabase,
} from '../test-support/scratch-database.js';
import { projectUsage } from '../usage-audit/project-usage.js';
import { usageEventView } from '../usage-audit/usage-event-view.js';
import { listUsage } from '../usage-audit/usage-queries.sql.js';
import { eraseAccounts } from './erase-accounts.js';

const NOW = 1_763_700_000_000;
const HOUR_MS = 3_600_000;
const PAGE = { page: 1, rows: 50, offset: 0 };
const TEXT = 'written by Ada';

describe('the audit of an erased account', () => {
  const clock = new ManualClock(NOW);
  const [accountId, bystander] = [newAccountId(NOW), newAccountId(NOW)];
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
    await inTransaction(database.pool, (tx) =>
      applyAccountEvents(tx, [opened(accountId), opened(bystander), keyOf(accountId), keyOf(bystander)], clock),
    );
    for (const owner of [accountId, bystander]) await audit(call(owner), search(owner));
  });
  afterAll(() => database.drop());

  const opened = (owner: typeof accountId): EventEnvelope => accountOpened(owner, 5_000_000n, NOW);
  const identityEvent = (type: string, data: EventEnvelope['data'] & { accountId: string }): EventEnvelope => ({
    ...accountOpened(accountId, 0n, NOW),
    id: uuidv7(NOW),
    type,
    topic: topicNames.accounts,
    partitionKey: data.accountId,
    data,
  });
  const keyOf = (owner: string): EventEnvelope =>
    identityEvent('ApiKeyIssued', {
      accountId: owner,
      apiKeyId: `key-of-${owner}`,
      name: TEXT,
      maskedValue: 'sk-abcd…wxyz',
      scopes: [],
      issuedAt: toIso(NOW),
    });
  const withTexts = (event: EventEnvelope): EventEnvelope => ({
    ...event,
    data: {
      ...event.data,
      apiKeyId: `key-of-${event.partitionKey}`,
      sessionId: TEXT,
      model: TEXT,
      errorMessage: TEXT,
      ...('outcome' in event.data ? { outcome: { ...(event.data['outcome'] as object), userMessage: TEXT } } : {}),
    },
  });
  /** A refused call names a tool that there never was, and a search that is none. */
  const call = (owner: typeof accountId): EventEnvelope => {
    const executionId = newExecutionId(NOW);
    const event = withTexts(
      terminalEvent({
        executionId,
        accountId: owner,
        type: 'ExecutionRefused',
        success: false,
        bill: 0n,
        nowMs: NOW,
      }),
    );
    return { ...event, data: { ...event.data, toolId: TEXT, searchId: TEXT } };
  };
  const search = (owner: typeof accountId): EventEnvelope =>
    withTexts(searchedEvent({ searchId: newSearchId(NOW), accountId: owner, success: true, nowMs: NOW }));
  const audit = async (...events: EventEnvelope[]): Promise<void> => {
    for (const event of events) await inTransaction(database.pool, (tx) => projectUsage(tx, [event]));
  };
  const erase = (owner: string): Promise<void> =>
    inTransaction(database.pool, (tx) =>
      noteErasedAccounts(
        tx,
        [identityEvent('AccountErased', { accountId: owner, erasedAt: toIso(clock.nowMs()) })],
        clock,
      ),
    );
  /** As the API shows them. */
  const rowsOf = async (owner: string): Promise<string[]> =>
    (await listUsage(database.pool, owner, { window: {} }, PAGE, PATIENT_MS)).rows.map((row) =>
      JSON.stringify(usageEventView(row, { payload: undefined })),
    );
  const ledgerOf = async (owner: string): Promise<unknown[]> =>
    (await database.pool.query('SELECT * FROM ledger_entries WHERE account_id = $1', [owner])).rows;

  it('holds no text any more, and says still what was done; ledger and other accounts stay', async () => {
    const before = [await rowsOf(bystander), await ledgerOf(accountId)];
    expect((await rowsOf(accountId)).every((row) => row.includes(TEXT))).toBe(true);
    await erase(accountId);
    expect(await eraseAccounts(database.pool, clock)).toBe(3);
    const rows = await rowsOf(accountId);
    expect(rows).toHaveLength(2);
    expect(rows.join()).not.toContain(TEXT);
    expect(rows.join()).toContain('"reason_code":"transport.execution_failed"');
    expect(rows.join()).toMatch(/"search_id":"srch_[0-9a-f]{32}"/);
    expect([await rowsOf(bystander), await ledgerOf(accountId)]).toEqual(before);
    expect(before[1]).toHaveLength(1);
  });

  it('loses what comes late as well, and costs nothing once there is nothing', async () => {
    expect(await eraseAccounts(database.pool, clock)).toBe(0);
    await audit(call(accountId));
    expect((await rowsOf(accountId)).join()).toContain(TEXT);
    clock.advanceMs(7 * HOUR_MS);
    expect(await eraseAccounts(database.pool, clock)).toBe(1);
    expect((await rowsOf(accountId)).join()).not.toContain(TEXT);
  });

  it('still settles a call that was under way', async () => {
    const late = terminalEvent({
      executionId: newExecutionId(NOW),
      accountId,
      type: 'ExecutionCompleted',
      success: true,
      bill: 0n,
      nowMs: NOW,
    });
    await inTransaction(database.pool, (tx) => settleExecutions(tx, [late], clock));
    await audit(late);
    expect(await rowsOf(accountId)).toHaveLength(4);
  });

  const due = async (): Promise<unknown> =>
    (await database.pool.query('SELECT due_at FROM erased_accounts WHERE account_id = $1', [accountId])).rows[0];
  const labelsOf = async (owner: string): Promise<unknown[]> =>
    (await database.pool.query('SELECT name FROM api_key_labels WHERE account_id = $1', [owner])).rows;

  it('is looked after until no event of it can come any more', async () => {
    expect(await due()).toEqual({ due_at: expect.any(Date) });
    clock.advanceMs(32 * 24 * HOUR_MS);
    await eraseAccounts(database.pool, clock);
    expect(await due()).toEqual({ due_at: null });
  });

  it('gets no name of a key back where all events are published again', async () => {
    const topic = [opened(accountId), opened(bystander), keyOf(accountId), keyOf(bystander)];
    await inTransaction(database.pool, (tx) => applyAccountEvents(tx, topic, clock));
    expect(await labelsOf(accountId)).toEqual([]);
    expect(await labelsOf(bystander)).toEqual([{ name: TEXT }]);
  });

  it('is looked at once more where its erasure is told again, however long ago it was', async () => {
    await audit(call(accountId));
    expect(await eraseAccounts(database.pool, clock)).toBe(0);
    await erase(accountId);
    expect(await eraseAccounts(database.pool, clock)).toBe(1);
    expect((await rowsOf(accountId)).join()).not.toContain(TEXT);
    expect(await due()).toEqual({ due_at: null });
  });

  it('is due as before where its erasure is told twice', async () => {
    const other = newAccountId(NOW);
    await erase(other);
    await eraseAccounts(database.pool, clock);
    const dueOfOther = async (): Promise<unknown> =>
      (await database.pool.query('SELECT due_at FROM erased_accounts WHERE account_id = $1', [other])).rows[0];
    const before = await dueOfOther();
    clock.advanceMs(1);
    await erase(other);
    expect(await dueOfOther()).toEqual(before);
  });
});
