import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { newAccountId, newExecutionId, toIso, uuidv7 } from '@capability-router/kernel';
import { type ProgramRun, runProgram } from '@capability-router/service-kit/testing';
import { RunningRegistry } from '../test-support/running-registry.js';
import { sampleTool } from '../test-support/sample-catalogue.js';

/** Milliseconds. */
jest.setTimeout(120_000);

/** The built file, as operators run it. */
const program = new URL('../../dist/parked/main.js', import.meta.url);
const { toolId, providerId } = sampleTool();

/** Beside which the command is run. */
let registry: RunningRegistry;
beforeAll(async () => {
  registry = await RunningRegistry.start();
}, 120_000);
afterAll(() => registry.stop());

const run = (...args: string[]): Promise<ProgramRun> =>
  runProgram(program, { REGISTRY_DATABASE_URL: registry.database.url }, args);

/** An event of an account as a consumer of the group has parked it. */
async function park(accountId: string, data: object): Promise<void> {
  const executionId = newExecutionId(Date.now());
  const id = uuidv7(Date.now());
  const event = {
    id,
    type: 'ExecutionCompleted',
    source: 'execution',
    subject: executionId,
    sequence: 2,
    time: toIso(Date.now()),
    topic: topicNames.executions,
    partitionKey: accountId,
    data: { executionId, accountId, eventType: 'tool_execute', completedAt: toIso(Date.now()), ...data },
  };
  await registry.database.pool.query(
    `INSERT INTO parked_events (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
     VALUES ('registry.statistics', $1, $2, $3, 0, '', $4, 'it failed')`,
    [topicNames.executions, accountId, id, JSON.stringify(event)],
  );
}

describe('the command for parked events of the registry', () => {
  // Each run of the program takes seconds, so that there is one for each of what it may say.
  it('lists them by group, and handles those of one key again with their effect', async () => {
    const [accountId, other] = [newAccountId(Date.now()), newAccountId(Date.now())];
    const completed = { toolId, providerId, outcome: { reasonCode: 'result.valid' }, durationMs: 40 };
    await park(accountId, completed);
    await park(other, completed);

    const listed = await run('list');
    expect(listed).toMatchObject({ code: 0, error: '' });
    expect(listed.lines.map(({ group, partitionKey, reason }) => [group, partitionKey, reason])).toEqual([
      ['registry.statistics', accountId, 'it failed'],
      ['registry.statistics', other, 'it failed'],
    ]);

    const replayed = await run('replay', 'registry.statistics', accountId);
    expect(replayed).toMatchObject({ code: 0, lines: [{ replayed: 1, remaining: 0 }], error: '' });
    const { rows } = await registry.database.pool.query<{ calls: string }>(
      'SELECT count(*) AS calls FROM counted_executions',
    );
    expect(rows).toEqual([{ calls: '1' }]);
    const left = await registry.database.pool.query('SELECT partition_key FROM parked_events');
    expect(left.rows).toEqual([{ partition_key: other }]);
  });

  it('handles feedback and erasure, too, where there is nothing to do', async () => {
    for (const group of ['registry.feedback', 'registry.erasure']) {
      expect(await run('replay', group, newAccountId(Date.now()))).toMatchObject({
        code: 0,
        lines: [{ replayed: 0, remaining: 0 }],
      });
    }
  });

  it('names the groups where there is none of a name', async () => {
    expect(await run('replay', 'registry.nobody', 'acc')).toMatchObject({
      code: 2,
      lines: [],
      error: expect.stringMatching(/no group "registry.nobody".*registry.statistics/),
    });
  });
});
