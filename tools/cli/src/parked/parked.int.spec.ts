import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { appendOnlyTables, migrations } from '@capability-router/billing';
import { type EventEnvelope, topicNames } from '@capability-router/contracts';
import type { ScratchDatabase } from '@capability-router/event-store/testing';
import { newAccountId, systemClock } from '@capability-router/kernel';
import { type ProgramRun, runProgram, scratchDatabasesOf } from '@capability-router/service-kit/testing';

/** Milliseconds. */
jest.setTimeout(120_000);

const program = new URL('../../bin/caprouter.js', import.meta.url);

describe('caprouter parked', () => {
  let billing: ScratchDatabase;
  beforeAll(async () => {
    billing = await scratchDatabasesOf({ service: 'billing', migrations, appendOnlyTables }).createScratchDatabase();
  });
  afterAll(() => billing.drop());

  const parked = (...args: string[]): Promise<ProgramRun> =>
    runProgram(program, { BILLING_DATABASE_URL: billing.url }, ['--json', 'parked', ...args]);

  it('lists what a service has set aside, shows one event with its reason, and handles a key again', async () => {
    const event = accountOpened();
    await billing.pool.query(
      `INSERT INTO parked_events (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
       VALUES ('billing.accounts', $1, $2, $3, 0, '', $4, 'it failed')`,
      [event.topic, event.partitionKey, event.id, JSON.stringify(event)],
    );
    const row = { group: 'billing.accounts', key: event.partitionKey, event_id: event.id, reason: 'it failed' };
    expect(await parked('list')).toMatchObject({ code: 0, lines: [{ items: [row] }] });
    expect(await parked('show', event.id)).toMatchObject({ code: 0, lines: [{ items: [{ ...row, event }] }] });

    const replayed = await parked('replay', 'billing.accounts', event.partitionKey);
    expect(replayed).toMatchObject({ code: 0, lines: [{ replayed: 1, remaining: 0 }], error: '' });
    const { rows } = await billing.pool.query('SELECT account_id, balance_micro FROM account_balances');
    expect(rows).toEqual([{ account_id: event.partitionKey, balance_micro: '5000000' }]);
    expect(await parked('list')).toMatchObject({ code: 0, lines: [{ items: [] }] });
    expect(await parked('show', event.id)).toMatchObject({ code: 1, error: expect.stringContaining('is parked') });
  });

  it('says of a group that is none which there are', async () => {
    const error = expect.stringMatching(/billing\.accounts.*billing\.settlement/);
    expect(await parked('replay', 'billing.nobody', 'acc_1')).toMatchObject({ code: 2, lines: [], error });
    const others = expect.stringMatching(/execution\.…/);
    expect(await parked('replay', 'nobody', 'acc_1')).toMatchObject({ code: 2, lines: [], error: others });
  });
});

function accountOpened(): EventEnvelope {
  const accountId = newAccountId(systemClock.nowMs());
  const time = new Date(systemClock.nowMs()).toISOString();
  return {
    id: randomUUID(),
    type: 'AccountOpened',
    source: 'identity',
    subject: accountId,
    sequence: 1,
    time,
    topic: topicNames.accounts,
    partitionKey: accountId,
    data: {
      accountId,
      kind: 'formal',
      initialGrantMicroCredits: '5000000',
      grantCategory: 'welcome_bonus',
      openedAt: time,
    },
  };
}
