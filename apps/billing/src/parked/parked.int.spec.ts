import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newAccountId, newExecutionId, systemClock } from '@capability-router/kernel';
import type { EventEnvelope } from '@capability-router/contracts';
import { type ProgramRun, runProgram } from '@capability-router/service-kit/testing';
import { accountOpened, terminalEvent } from '../test-support/events.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';

/** Milliseconds. */
jest.setTimeout(120_000);

/** The built file, as operators run it. */
const program = new URL('../../dist/parked/main.js', import.meta.url);

describe('the command for parked events of billing', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const run = (...args: string[]): Promise<ProgramRun> =>
    runProgram(program, { BILLING_DATABASE_URL: database.url }, args);

  /** An event as a consumer of the group has parked it. */
  const park = (group: string, event: EventEnvelope): Promise<unknown> =>
    database.pool.query(
      `INSERT INTO parked_events (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
       VALUES ($1, $2, $3, $4, 0, '', $5, 'it failed')`,
      [group, event.topic, event.partitionKey, event.id, JSON.stringify(event)],
    );

  it('lists them by group, and handles those of one key again with their effect', async () => {
    const nowMs = systemClock.nowMs();
    const [accountId, other] = [newAccountId(nowMs), newAccountId(nowMs)];
    await park('billing.accounts', accountOpened(accountId, 5_000_000n, nowMs));
    await park('billing.accounts', accountOpened(other, 5_000_000n, nowMs));

    const listed = await run('list');
    expect(listed).toMatchObject({ code: 0, error: '' });
    expect(listed.lines.map(({ group, partitionKey }) => [group, partitionKey]).sort()).toEqual(
      [accountId, other].map((key) => ['billing.accounts', key]).sort(),
    );

    const replayed = await run('replay', 'billing.accounts', accountId);
    expect(replayed).toMatchObject({ code: 0, lines: [{ replayed: 1, remaining: 0 }], error: '' });
    const { rows } = await database.pool.query('SELECT account_id, balance_micro FROM account_balances');
    expect(rows).toEqual([{ account_id: accountId, balance_micro: '5000000' }]);
    const left = await database.pool.query('SELECT partition_key FROM parked_events');
    expect(left.rows).toEqual([{ partition_key: other }]);
  });

  it('settles and audits', async () => {
    const nowMs = systemClock.nowMs();
    const [accountId, executionId] = [newAccountId(nowMs), newExecutionId(nowMs)];
    const type = 'ExecutionCompleted';
    const ended = terminalEvent({ executionId, accountId, type, success: false, bill: 0n, nowMs });
    for (const group of ['billing.settlement', 'billing.usage-audit']) {
      await park(group, ended);
      expect(await run('replay', group, accountId)).toMatchObject({
        code: 0,
        lines: [{ replayed: 1, remaining: 0 }],
        error: '',
      });
    }
    const settled = await database.pool.query('SELECT FROM settlements WHERE source_ref_id = $1', [executionId]);
    const audited = await database.pool.query('SELECT FROM usage_events WHERE execution_id = $1', [executionId]);
    expect([settled.rowCount, audited.rowCount]).toEqual([1, 1]);
  });

  it('knows every group, and names them where there is none of a name', async () => {
    expect(await run('replay', 'billing.nobody', 'acc')).toMatchObject({
      code: 2,
      lines: [],
      error: expect.stringMatching(
        /no group "billing.nobody".*billing\.accounts, billing\.settlement, billing\.usage-audit, billing\.erasure/,
      ),
    });
  });
});
