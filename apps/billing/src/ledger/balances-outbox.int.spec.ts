/** @postgres-versions The boundary of a reader is the snapshot of the server. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import { untilReadable } from '@capability-router/event-store/testing';
import { creditsFromMicro, newAccountId, newExecutionId, systemClock, type AccountId } from '@capability-router/kernel';
import { applyAccountEvents } from '../grants/account-events.js';
import { placeHold } from '../holds/place-hold.js';
import { settleExecutions } from '../settlement/settle-executions.js';
import { accountOpened, terminalEvent } from '../test-support/events.js';
import { createScratchDatabase, inTransaction, type ScratchDatabase } from '../test-support/scratch-database.js';
import { balancesOutbox } from './balances-outbox.js';

const NOW = 1_763_700_000_000;
const GRANT = 1_000_000n;
const CHARGE = 1_000n;

describe('the balances topic', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const open = async (): Promise<AccountId> => {
    const accountId = newAccountId(NOW);
    await inTransaction(database.pool, (tx) =>
      applyAccountEvents(tx, [accountOpened(accountId, GRANT, NOW)], systemClock),
    );
    return accountId;
  };
  const settle = async (accountId: AccountId, calls: number): Promise<void> => {
    const events: EventEnvelope[] = [];
    const at = new Date(NOW);
    for (let call = 0; call < calls; call += 1) {
      const executionId = newExecutionId(NOW);
      await placeHold(database.pool, {
        accountId,
        billableId: executionId,
        amount: creditsFromMicro(CHARGE),
        inquireAfter: at,
        now: at,
      });
      events.push(
        terminalEvent({ executionId, accountId, type: 'ExecutionCompleted', success: true, bill: CHARGE, nowMs: NOW }),
      );
    }
    await inTransaction(database.pool, (tx) => settleExecutions(tx, events, systemClock));
  };
  /** Everything, page by page, and the last record of each key. */
  const published = async (pageRows: number) => {
    await untilReadable(database.pool);
    const events: EventEnvelope[] = [];
    for (let after = '', moved = true; moved;) {
      const page = await balancesOutbox.readAfter(database.pool, after, pageRows);
      expect(page.events.length).toBeLessThanOrEqual(pageRows);
      events.push(...page.events);
      moved = page.position !== after;
      after = page.position;
    }
    const last = new Map(events.map((event) => [event.partitionKey, event.data]));
    return { events, last };
  };

  it('says the balance of every account as it stands, however the entries fall into pages', async () => {
    const [a, b] = [await open(), await open()];
    await settle(a, 7);
    await settle(b, 3);
    await settle(a, 2);
    const { rows } = await database.pool.query<{ account_id: string; balance: string; seq: string; entry_id: string }>(
      `SELECT h.account_id, b.balance_micro AS balance, h.entry_seq AS seq, e.entry_id FROM ledger_heads h
         JOIN account_balances b USING (account_id)
         JOIN ledger_entries e ON e.account_id = h.account_id AND e.entry_seq = h.entry_seq`,
    );
    const books = new Map(rows.map((row) => [row.account_id, [row.balance, Number(row.seq), row.entry_id]]));
    expect([...books.keys()].sort()).toEqual([a, b].sort());
    for (const pageRows of [1, 3, 4, 1_000]) {
      const { last } = await published(pageRows);
      const said = [...last].map(([account, data]) => [
        account,
        [data['balanceMicroCredits'], data['entrySeq'], data['entryId']],
      ]);
      expect(new Map(said as [string, unknown[]][])).toEqual(books);
    }
  });

  it('holds one record per account and page, of which each follows the one before it', async () => {
    const { events: merged } = await published(1_000);
    expect(new Set(merged.map((event) => event.partitionKey)).size).toBe(merged.length);
    const { events } = await published(1);
    expect(events.length).toBeGreaterThan(merged.length);
    const seen = new Map<string, number>();
    for (const { partitionKey, sequence, topic, subject } of events) {
      expect({ topic, subject }).toEqual({ topic: topicNames.balances, subject: partitionKey });
      expect(sequence).toBe((seen.get(partitionKey) ?? 0) + 1);
      seen.set(partitionKey, sequence);
    }
  });

  it('gives one balance one id on every delivery, and no two the same', async () => {
    const [first, second] = [await published(1), await published(1)];
    expect(first.events.map(({ id }) => id)).toEqual(second.events.map(({ id }) => id));
    expect(new Set(first.events.map(({ id }) => id)).size).toBe(first.events.length);
    const { rows } = await database.pool.query<{ entry_id: string }>('SELECT entry_id FROM ledger_entries');
    const entryIds = new Set(rows.map(({ entry_id }) => entry_id.slice('led_'.length)));
    expect(first.events.filter(({ id }) => entryIds.has(id.replaceAll('-', '')))).toEqual([]);
  });

  it('shows no balance of a transaction that is not committed', async () => {
    const before = (await published(1_000)).events.length;
    const accountId = newAccountId(NOW);
    const slow = await database.pool.connect();
    await slow.query('BEGIN');
    await applyAccountEvents(slow, [accountOpened(accountId, GRANT, NOW)], systemClock);
    const during = await balancesOutbox.readAfter(database.pool, '', 1_000);
    expect(during.events.map(({ partitionKey }) => partitionKey)).not.toContain(accountId);
    await slow.query('COMMIT');
    slow.release();
    expect((await published(1_000)).events).toHaveLength(before + 1);
  });
});
