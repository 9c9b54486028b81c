import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { topicNames, type AccountAssertion, type SecurityLogEntryRecorded } from '@capability-router/contracts';
import { START_POSITION, type StoredEvent } from '@capability-router/event-store';
import { untilReadable } from '@capability-router/event-store/testing';
import { ManualClock, newAccountId, uuidv7 } from '@capability-router/kernel';
import { inTransaction } from '@capability-router/service-kit';
import type pg from 'pg';
import { RunningIdentity } from '../../test-support/running-identity.js';
import { appendEntries } from '../chain/append-entries.js';
import { chainedRecord, followRecords } from './verify-records.js';
import { securityLogOutbox } from './security-log-outbox.js';

const nowMs = Date.UTC(2026, 0, 15, 12);
const operator: AccountAssertion = {
  accountId: `acc_${'a'.repeat(32)}`,
  accountKind: 'formal',
  credentialType: 'api_key',
  scopes: ['admin'],
};

describe('the topic of the security log', () => {
  let identity: RunningIdentity;
  beforeAll(async () => {
    identity = await RunningIdentity.start(new ManualClock(nowMs));
  });
  afterAll(() => identity.stop());

  /** All that is published, as the relay reads it: page after page. */
  async function publishedEvents(): Promise<StoredEvent[]> {
    await untilReadable(identity.database.pool);
    const events: StoredEvent[] = [];
    for (let position = START_POSITION; ;) {
      const page = await securityLogOutbox.readAfter(identity.database.pool, position, 7);
      if (page.events.length === 0) return events;
      events.push(...page.events);
      position = page.position;
    }
  }
  const recordsOf = async (chain: string): Promise<SecurityLogEntryRecorded[]> =>
    (await publishedEvents())
      .filter(({ partitionKey }) => partitionKey === chain)
      .map(({ data }) => data as unknown as SecurityLogEntryRecorded);
  const findingsOf = (chain: string, records: readonly SecurityLogEntryRecorded[]): unknown[] =>
    followRecords(chain, records.map(chainedRecord)).map(({ kind }) => kind);
  const entryOf = (accountId: string) => ({
    entryId: uuidv7(nowMs),
    action: 'test.done',
    accountId,
    actor: { type: 'system' as const },
    occurrences: 1,
  });
  const append = (tx: pg.ClientBase, accountId: string): Promise<void> =>
    appendEntries(tx, [entryOf(accountId)], nowMs);

  it('has every entry of an account in the order of its chain, without an address, a name or an id of the caller', async () => {
    const ask = (method: 'POST' | 'DELETE', url: string, body?: object) =>
      identity.call({
        method,
        url,
        account: operator,
        clientAddress: '192.0.2.77',
        headers: { 'x-request-id': 'ticket-of-ada@example.com' },
        ...(body === undefined ? {} : { body }),
      });
    const opened = await ask('POST', '/admin/v1/accounts', {
      kind: 'formal',
      name: 'Ada Lovelace',
      initial_credits: 0,
    });
    const accountId = (opened.body['data'] as { account_id: string }).account_id;
    const issued = await ask('POST', `/admin/v1/accounts/${accountId}/api-keys`, { name: 'laptop of Ada' });
    await ask('DELETE', `/admin/v1/api-keys/${(issued.body['data'] as { api_key_id: string }).api_key_id}`);
    const records = await recordsOf(accountId);
    expect(records.map(({ entrySeq, action }) => [entrySeq, action])).toEqual([
      [1, 'account.opened'],
      [2, 'key.issued'],
      [3, 'key.revoked'],
    ]);
    expect(records.map(({ detailsHash }) => detailsHash)).toEqual(
      Array(3).fill(expect.stringMatching(/^[0-9a-f]{64}$/)),
    );
    expect(JSON.stringify(await publishedEvents())).not.toMatch(/192\.0\.2\.77|Lovelace|laptop|ticket|ada@/i);
    expect(findingsOf(accountId, records)).toEqual([]);
    // The administrator still finds it by the id that the caller gave.
    const listed = await identity.call({
      method: 'GET',
      url: `/admin/v1/security-log?account_id=${accountId}&limit=1`,
      account: operator,
    });
    expect(listed.body['data']).toMatchObject({ items: [{ request_id: 'ticket-of-ada@example.com' }] });
  });

  it('is keyed by the chain, and an event is the same however often it is read', async () => {
    const accountId = newAccountId(nowMs);
    await inTransaction(identity.database.pool, (tx) => append(tx, accountId));
    const of = async (): Promise<StoredEvent[]> =>
      (await publishedEvents()).filter(({ subject }) => subject === accountId);
    const [event, ...others] = await of();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      topic: topicNames.securityLog,
      type: 'SecurityLogEntryRecorded',
      partitionKey: accountId,
      sequence: 1,
    });
    expect(await of()).toEqual([event]);
  });

  it('keeps the order of a chain where the second entry is of the older transaction', async () => {
    const accountId = newAccountId(nowMs);
    const { pool } = identity.database;
    const before = (await publishedEvents()).at(-1)?.position ?? START_POSITION;
    await inTransaction(identity.database.pool, async (older) => {
      await older.query('SELECT pg_current_xact_id()');
      await inTransaction(identity.database.pool, (younger) => append(younger, accountId));
      // The older one could still write before it: nothing of what follows it is read.
      const { events } = await securityLogOutbox.readAfter(identity.database.pool, START_POSITION, 1_000);
      expect(events.filter(({ subject }) => subject === accountId)).toEqual([]);
      // Whoever watches the outbox hears of it all the same.
      expect(await securityLogOutbox.oldestUnread(pool, before)).toEqual(new Date(nowMs));
      await append(older, accountId);
    });
    const { position: after = START_POSITION } = (await publishedEvents()).at(-1) ?? {};
    expect(await securityLogOutbox.oldestUnread(pool, after)).toBeUndefined();
    const records = await recordsOf(accountId);
    expect(records.map(({ entrySeq }) => entrySeq)).toEqual([1, 2]);
    expect(findingsOf(accountId, records)).toEqual([]);
  });

  it('has what a replica of the build before writes, which says no order', async () => {
    const accountId = newAccountId(nowMs);
    await inTransaction(identity.database.pool, (tx) => append(tx, accountId));
    await identity.database.pool.query(
      `INSERT INTO security_log (entry_id, chain, entry_seq, action, account_id, actor_type, occurrences, recorded_at, previous_hash, hash)
       SELECT $1, chain, 2, action, account_id, actor_type, occurrences, recorded_at, hash, hash FROM security_log WHERE chain = $2`,
      [uuidv7(nowMs), accountId],
    );
    expect((await recordsOf(accountId)).map(({ entrySeq }) => entrySeq)).toEqual([1, 2]);
  });
});
