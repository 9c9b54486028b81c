import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { topicNames } from '@capability-router/contracts';
import { toIso, uuidv7 } from '@capability-router/kernel';
import { type ProgramRun, runProgram } from '@capability-router/service-kit/testing';
import { findDeclaration } from '../declared/declared-capabilities.sql.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';

/** Milliseconds. */
jest.setTimeout(120_000);

/** The built file, as operators run it. */
const program = new URL('../../dist/parked/main.js', import.meta.url);
const group = 'capability-routing.declared-capabilities';

describe('the command for parked events of capability routing', () => {
  let database: ScratchDatabase;
  beforeAll(async () => {
    database = await createScratchDatabase();
  });
  afterAll(() => database.drop());

  const run = (...args: string[]): Promise<ProgramRun> =>
    runProgram(program, { CAPABILITY_ROUTING_DATABASE_URL: database.url }, args);

  /** A `ToolPublished` as the consumer of the group has parked it. */
  async function park(toolId: string, version: number, data: object): Promise<void> {
    const id = uuidv7(Date.now());
    const event = {
      id,
      type: 'ToolPublished',
      source: 'registry',
      subject: toolId,
      sequence: version,
      time: toIso(Date.now()),
      topic: topicNames.catalogue,
      partitionKey: toolId,
      data,
    };
    await database.pool.query(
      `INSERT INTO parked_events (consumer_group, topic, partition_key, event_id, source_partition, source_position, event, reason)
       VALUES ($1, $2, $3, $4, 0, '', $5, 'it failed')`,
      [group, topicNames.catalogue, toolId, id, JSON.stringify(event)],
    );
  }
  const published = (toolId: string, version: number, ...ids: string[]): Promise<void> =>
    park(toolId, version, {
      tool: { toolId, version, description: { en: 'Does it.' }, capabilities: ids.map((id) => ({ id, tags: [] })) },
    });

  it('lists them by group, and handles those of one key again, in order, with their effect', async () => {
    const [tool, other] = ['a.thing.do.v1', 'b.thing.do.v1'];
    await published(tool, 1, 'thing.before');
    await published(tool, 2, 'thing.after');
    await published(other, 1, 'thing.other');

    const listed = await run('list');
    expect(listed).toMatchObject({ code: 0, error: '' });
    expect(listed.lines.map((line) => [line['group'], line['partitionKey'], line['reason']])).toEqual([
      [group, tool, 'it failed'],
      [group, tool, 'it failed'],
      [group, other, 'it failed'],
    ]);

    const replayed = await run('replay', group, tool);
    expect(replayed).toMatchObject({ code: 0, lines: [{ replayed: 2, remaining: 0 }], error: '' });
    expect(await findDeclaration(database.pool, 'thing.before')).toBeUndefined();
    expect(await findDeclaration(database.pool, 'thing.after')).toEqual({ en: 'Does it.' });
    expect(await findDeclaration(database.pool, 'thing.other')).toBeUndefined();
    const left = await database.pool.query('SELECT partition_key FROM parked_events');
    expect(left.rows).toEqual([{ partition_key: other }]);
  });

  it('says with exit code 1 that an event which still cannot be handled remains', async () => {
    const toolId = 'c.thing.do.v1';
    await park(toolId, 1, {});
    await published(toolId, 2, 'thing.behind');
    expect(await run('replay', group, toolId)).toMatchObject({ code: 1, lines: [{ replayed: 0, remaining: 2 }] });
    expect(await findDeclaration(database.pool, 'thing.behind')).toBeUndefined();
  });

  it('names the groups where there is none of a name', async () => {
    expect(await run('replay', 'capability-routing.nobody', 'key')).toMatchObject({
      code: 2,
      lines: [],
      error: expect.stringMatching(/no group "capability-routing.nobody"; groups: capability-routing\.declared-/),
    });
  });
});
