import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topicNames, type EventEnvelope } from '@capability-router/contracts';
import {
  ManualClock,
  newAccountId,
  newExecutionId,
  toIso,
  usageEventIdOf,
  uuidv7,
  type AccountId,
  type ExecutionId,
} from '@capability-router/kernel';
import { eraseDueAccounts, inTransaction, noteErasedAccounts } from '@capability-router/service-kit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { lookUpPayloads } from '../payloads/payload-store.sql.js';
import { DirectoryStore } from '../result-shaping/store/directory-store.js';
import { KeptResults } from '../result-shaping/store/kept-results.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { forgetAccount } from './forget-account.js';

const NOW = 1_763_700_000_000;

describe('what execution keeps of an erased account', () => {
  const clock = new ManualClock(NOW);
  let database: ScratchDatabase;
  let directory: string;
  let results: KeptResults;
  beforeAll(async () => {
    database = await createScratchDatabase();
    directory = await mkdtemp(join(tmpdir(), 'erasure-'));
    const limits = {
      maxTotalBytes: 1_000_000,
      maxAccountBytes: 1_000_000,
      maxResultBytes: 1_000,
      lifetimeMs: 7_200_000,
      timeoutMs: 10_000,
    };
    const store = new DirectoryStore(directory);
    results = new KeptResults(store, database.pool, clock, { resultStore: limits }, new Registry());
  });
  afterAll(async () => {
    await database.drop();
    await rm(directory, { recursive: true });
  });

  const forget = (accountId: string): Promise<number> => forgetAccount(database.pool, results, accountId);

  /** A call with its payload, its full result, and the answer that its idempotency key keeps, with a file of its own. */
  const keepCall = async (accountId: AccountId): Promise<{ executionId: ExecutionId; keptAs: ExecutionId }> => {
    const [executionId, keptAs] = [newExecutionId(NOW), newExecutionId(NOW)];
    await database.pool.query(
      `INSERT INTO execution_payloads (usage_event_id, account_id, request_payload) VALUES ($1, $2, '{"a":"secret"}')`,
      [usageEventIdOf(executionId), accountId],
    );
    await database.pool.query(
      `INSERT INTO idempotency_keys (account_id, route, key, fingerprint, execution_id, expires_at)
       VALUES ($1, 'execute', $2, 'f', $2, now() + interval '1 day')`,
      [accountId, executionId],
    );
    await database.pool.query(
      `INSERT INTO idempotent_answers (execution_id, body, kept_as, expires_at)
       VALUES ($1, '{"result":"secret"}', $2, now() + interval '1 day')`,
      [executionId, keptAs],
    );
    await results.save({ accountId, executionId }, Buffer.from('secret'));
    await results.save({ accountId, executionId: keptAs }, Buffer.from('secret'));
    return { executionId, keptAs };
  };
  const rowsOf = async (executionId: ExecutionId): Promise<number> => {
    const { rows } = await database.pool.query<{ n: number }>(
      `SELECT (SELECT count(*) FROM execution_payloads WHERE usage_event_id = $2)::int
            + (SELECT count(*) FROM idempotency_keys WHERE execution_id = $1)::int
            + (SELECT count(*) FROM idempotent_answers WHERE execution_id = $1)::int
            + (SELECT count(*) FROM stored_results WHERE execution_id = $1)::int AS n`,
      [executionId, usageEventIdOf(executionId)],
    );
    return rows[0]?.n ?? -1;
  };

  it("goes, in the database and in the result store, and nobody else's does", async () => {
    const [erased, other] = [newAccountId(NOW), newAccountId(NOW)];
    const gone = await keepCall(erased);
    const kept = await keepCall(other);
    expect(await rowsOf(gone.executionId)).toBe(4);
    const event: EventEnvelope = {
      id: uuidv7(NOW),
      type: 'AccountErased',
      source: 'identity',
      subject: erased,
      sequence: 2,
      time: toIso(NOW),
      topic: topicNames.accounts,
      partitionKey: erased,
      data: { accountId: erased, erasedAt: toIso(NOW) },
    };
    await inTransaction(database.pool, (tx) => noteErasedAccounts(tx, [event, event], clock));
    expect(await eraseDueAccounts(database.pool, clock, forget)).toBe(4);
    expect(await rowsOf(gone.executionId)).toBe(0);
    expect(await rowsOf(kept.executionId)).toBe(4);
    expect(await readdir(directory)).toEqual([other]);
    expect((await readdir(join(directory, other))).sort()).toEqual(
      [`${kept.executionId}.json`, `${kept.keptAs}.json`].sort(),
    );
    const usageEventIds = [gone.executionId, kept.executionId].map(usageEventIdOf);
    expect(await lookUpPayloads(database.pool, { accountId: erased, usageEventIds })).toEqual({ payloads: {} });
    expect(await eraseDueAccounts(database.pool, clock, forget)).toBe(0);

    // A call that was under way at the time writes its payload now; it goes with the next look.
    const late = await keepCall(erased);
    clock.advanceMs(599_999);
    expect(await eraseDueAccounts(database.pool, clock, forget)).toBe(0);
    clock.advanceMs(1);
    expect(await eraseDueAccounts(database.pool, clock, forget)).toBe(4);
    expect(await rowsOf(late.executionId)).toBe(0);
  });

  it('is tried again soon when it could not be removed, and others do not wait for it', async () => {
    const accounts = [newAccountId(NOW), newAccountId(NOW)];
    const noted = 'INSERT INTO erased_accounts (account_id, erased_at, due_at) SELECT unnest($1::text[]), $2, $2';
    await database.pool.query(noted, [accounts, toIso(clock.nowMs())]);
    const tried: string[] = [];
    const failing = (accountId: string): Promise<number> => {
      tried.push(accountId);
      return accountId === accounts[0] ? Promise.reject(new Error('no')) : Promise.resolve(1);
    };
    await expect(eraseDueAccounts(database.pool, clock, failing)).rejects.toThrow('1 accounts are not erased yet');
    expect([...tried].sort()).toEqual([...accounts].sort());
    clock.advanceMs(30_000);
    tried.length = 0;
    expect(await eraseDueAccounts(database.pool, clock, async (accountId) => tried.push(accountId))).toBe(1);
    expect(tried).toEqual([accounts[0]]);
  });
});
