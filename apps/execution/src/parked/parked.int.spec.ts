import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { topicNames, type TopicName } from '@capability-router/contracts';
import { newAccountId, systemClock, toIso, uuidv7 } from '@capability-router/kernel';
import { type ProgramRun, runProgram } from '@capability-router/service-kit/testing';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { toolContract } from '../test-support/tool-contract.js';

/** Milliseconds. */
jest.setTimeout(120_000);

/** The built file, as operators run it. */
const program = new URL('../../dist/parked/main.js', import.meta.url);
const [copies, erasure] = ['execution.tool-copies', 'execution.erasure'];

describe('the command for parked events of execution', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const run = (...args: string[]): Promise<ProgramRun> =>
    runProgram(program, { EXECUTION_DATABASE_URL: database.url }, args);

  /** An event as the consumer of the group has parked it. */
  async function park(group: string, topic: TopicName, type: string, key: string, data: object): Promise<void> {
    const [id, time] = [uuidv7(systemClock.nowMs()), toIso(systemClock.nowMs())];
    const source = topic === topicNames.catalogue ? 'registry' : 'identity';
    const event = { id, type, source, subject: key, sequence: 1, time, topic, partitionKey: key, data };
    await database.pool.query(
      `INSERT INTO parked_events (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
       VALUES ($1, $2, $3, $4, 0, '', $5, 'it failed')`,
      [group, topic, key, id, JSON.stringify(event)],
    );
  }

  // Each run of the program takes seconds, so that there is one for each of what it may say.
  it('lists them by group, and handles those of one key again, in order, with their effect', async () => {
    const [one, other] = [toolContract({ toolId: 'a.thing.do.v1' }), toolContract({ toolId: 'b.thing.do.v1' })];
    for (const tool of [one, { ...one, version: 2 }, other]) {
      await park(copies, topicNames.catalogue, 'ToolPublished', tool.toolId, { tool });
    }
    const accountId = newAccountId(systemClock.nowMs());
    const erased = { accountId, erasedAt: toIso(systemClock.nowMs()) };
    await park(erasure, topicNames.accounts, 'AccountErased', accountId, erased);

    const listed = await run('list');
    expect(listed).toMatchObject({ code: 0, error: '' });
    expect(listed.lines.map((line) => [line['group'], line['partitionKey'], line['reason']])).toEqual([
      [erasure, accountId, 'it failed'],
      [copies, one.toolId, 'it failed'],
      [copies, one.toolId, 'it failed'],
      [copies, other.toolId, 'it failed'],
    ]);

    const replayed = await run('replay', copies, one.toolId);
    expect(replayed).toMatchObject({ code: 0, lines: [{ replayed: 2, remaining: 0 }], error: '' });
    const found = await database.pool.query('SELECT tool_id, version FROM tool_copies');
    expect(found.rows).toEqual([{ tool_id: one.toolId, version: 2 }]);

    expect(await run('replay', erasure, accountId)).toMatchObject({ code: 0, lines: [{ replayed: 1, remaining: 0 }] });
    const noted = await database.pool.query('SELECT account_id FROM erased_accounts');
    expect(noted.rows).toEqual([{ account_id: accountId }]);
    const left = await database.pool.query('SELECT partition_key FROM parked_events');
    expect(left.rows).toEqual([{ partition_key: other.toolId }]);
  });

  it('knows every group, and names them where there is none of a name', async () => {
    expect(await run('replay', 'execution.nobody', 'key')).toMatchObject({
      code: 2,
      lines: [],
      error: expect.stringMatching(
        /no group "execution.nobody"; groups: execution\.closed-accounts, execution\.erasure, execution\.tool-copies/,
      ),
    });
  });
});
