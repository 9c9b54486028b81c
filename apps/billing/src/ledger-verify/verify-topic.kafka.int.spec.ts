import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { silentLogger, type EventBus } from '@capability-router/event-bus';
import { createKafkaEventBus } from '@capability-router/event-bus/kafka';
import { createScratchTopics, type ScratchTopics } from '@capability-router/event-bus/testing';
import { eventTableSource } from '@capability-router/event-store';
import { requireEnvironment, untilReadable } from '@capability-router/event-store/testing';
import { ManualClock, newAccountId, type AccountId } from '@capability-router/kernel';
import { chainEntry, type LedgerEntry } from '../ledger/domain/entry.js';
import { ledgerOutbox } from '../ledger/ledger-outbox.js';
import { recordLedgerRoot } from '../ledger-roots/record-root.js';
import { behindTheService, bookEntries } from '../test-support/book-entries.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { verifyLedger, type VerifyReport } from './verify-ledger.js';

const YESTERDAY = Date.UTC(2026, 0, 2, 12);
const TODAY = Date.UTC(2026, 0, 3, 0, 1);
const PUBLISH_TIMEOUT_MS = 60_000;

describe('verifying the ledger against Kafka', () => {
  const brokers = requireEnvironment('TEST_KAFKA_BROKERS').split(',');
  let database: ScratchDatabase;
  let topics: ScratchTopics;
  let bus: EventBus;
  const accounts: AccountId[] = [];

  beforeAll(async () => {
    database = await createScratchDatabase();
    topics = await createScratchTopics(brokers, [topicNames.ledgerEntries, topicNames.ledgerRoots]);
    bus = newBus();
    await bus.start();
  }, 120_000);
  afterAll(async () => {
    await bus.stop();
    await topics.drop();
    await database.drop();
  }, 60_000);

  function newBus(): EventBus {
    const created = createKafkaEventBus({
      brokers,
      clientId: 'verify',
      logger: silentLogger,
      pollIntervalMs: 20,
      transactionalIdPrefix: topics.prefix,
    });
    created.publishFrom(database.pool, 'billing', [
      topics.outbox(eventTableSource([topicNames.ledgerRoots])),
      topics.outbox(ledgerOutbox),
    ]);
    return created;
  }

  const verify = (): Promise<VerifyReport> => verifyLedger(database.pool, { topics });

  async function book(account: AccountId, amounts: readonly bigint[], nowMs: number): Promise<LedgerEntry[]> {
    if (!accounts.includes(account)) accounts.push(account);
    return bookEntries(database.pool, account, amounts, nowMs);
  }

  /** Waits until nothing is left to publish. */
  async function published(): Promise<VerifyReport> {
    const deadline = performance.now() + PUBLISH_TIMEOUT_MS;
    for (;;) {
      const report = await verify();
      if (report.topic?.unpublished === 0 && report.topic.roots === Number(report.root?.rootSeq ?? 0)) return report;
      if (performance.now() > deadline) throw new Error(`not published: ${JSON.stringify(report)}`);
    }
  }

  it('finds nothing where everything was published, roots included', async () => {
    for (let n = 0; n < 7; n += 1) await book(newAccountId(YESTERDAY + n), [1_000n, -10n, -20n, 30n], YESTERDAY);
    // The relay has transactions of its own.
    await untilReadable(database.pool);
    await recordLedgerRoot(database.pool, new ManualClock(TODAY));
    const report = await published();
    expect(report.findings).toEqual([]);
    expect(report).toEqual(expect.objectContaining({ sound: true, entries: 28, rootChecked: true }));
    expect(report.topic).toEqual({ records: 28, roots: 1, unpublished: 0, malformed: 0, expired: false });
  });

  it('says of entries that the relay has yet to publish that they wait, and nothing else', async () => {
    await bus.stop();
    await book(accounts[0] as AccountId, [1n, 2n], TODAY);
    const report = await verify();
    expect(report).toEqual(expect.objectContaining({ sound: true, findings: [] }));
    expect(report.topic?.unpublished).toBe(2);
    bus = newBus();
    await bus.start();
    await published();
  });

  it('names the first entry of a suffix that was written anew since the last root, which nothing else shows', async () => {
    const [, victim] = accounts;
    if (victim === undefined) throw new Error('no account');
    const booked = await book(victim, [5n, 6n, 7n], TODAY);
    await published();
    const before = booked.map((entry) => ({ ...entry }));
    let head = {
      accountId: victim,
      entrySeq: 5n,
      balance: booked[0]?.balanceAfter ?? (0n as never),
      lastHash: booked[0]?.hash ?? '',
      settlementSeq: 0n,
    };
    const statements: string[] = [];
    for (const entry of booked.slice(1)) {
      const chained = chainEntry(head, { ...entry, description: 'rewritten' }, entry);
      head = chained.head;
      statements.push(
        `UPDATE ledger_entries SET description = 'rewritten', previous_hash = '${chained.entry.previousHash}',
                hash = '${chained.entry.hash}' WHERE entry_id = '${entry.entryId}'`,
      );
    }
    statements.push(`UPDATE ledger_heads SET last_hash = '${head.lastHash}' WHERE account_id = '${victim}'`);
    await behindTheService(database.owner, ...statements);
    expect(await verifyLedger(database.pool)).toEqual(expect.objectContaining({ sound: true, rootChecked: true }));
    const { findings } = await verify();
    expect(findings).toEqual([
      expect.objectContaining({ kind: 'topic', accountId: victim, sequence: '6', entryId: booked[1]?.entryId }),
    ]);
    await behindTheService(
      database.owner,
      ...before.map(
        (entry) =>
          `UPDATE ledger_entries SET description = 'test', previous_hash = '${entry.previousHash}', hash = '${entry.hash}'
            WHERE entry_id = '${entry.entryId}'`,
      ),
      `UPDATE ledger_heads SET last_hash = '${before.at(-1)?.hash ?? ''}' WHERE account_id = '${victim}'`,
    );
    expect((await verify()).findings).toEqual([]);
  });

  it('names what was cut off at the end together with the head and the balance', async () => {
    const victim = accounts[2];
    if (victim === undefined) throw new Error('no account');
    const [kept, lost] = await book(victim, [8n, 9n], TODAY);
    if (kept === undefined || lost === undefined) throw new Error('nothing was booked');
    await published();
    await behindTheService(
      database.owner,
      `DELETE FROM ledger_entries WHERE entry_id = '${lost.entryId}'`,
      `UPDATE ledger_heads SET entry_seq = ${kept.entrySeq}, last_hash = '${kept.hash}', balance_micro = ${kept.balanceAfter}
        WHERE account_id = '${victim}'`,
      `UPDATE account_balances SET balance_micro = ${kept.balanceAfter} WHERE account_id = '${victim}'`,
    );
    expect((await verifyLedger(database.pool)).findings).toEqual([]);
    expect((await verify()).findings).toEqual([
      expect.objectContaining({
        kind: 'missing',
        accountId: victim,
        sequence: `${lost.entrySeq}`,
        entryId: lost.entryId,
      }),
    ]);
  });

  it('finds a table of roots that was written anew, by what was published', async () => {
    await behindTheService(database.owner, 'DELETE FROM ledger_roots');
    expect((await verify()).findings).toContainEqual(
      expect.objectContaining({ kind: 'root', sequence: '1', detail: expect.stringContaining('is gone') }),
    );
  });
});
