import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ToolContract } from '@capability-router/contracts';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { toolContract } from '../test-support/tool-contract.js';
import { allToolCopies, loadToolCopies, saveToolCopies } from './tool-copies.sql.js';
import { ToolDirectory } from './tool-directory.js';

const named = (name: string, over: Partial<ToolContract> = {}): ToolContract =>
  toolContract({ toolId: `demo.weather.${name}.v1`, ...over });
const [one, two, three] = [named('one'), named('two'), named('three', { providerId: 'other' })];

describe('the tools that execution knows', () => {
  let database: ScratchDatabase | undefined;
  let directory: ToolDirectory;
  const pool = () => {
    if (database === undefined) throw new Error('there is no database');
    return database.pool;
  };
  const save = (...tools: ToolContract[]) =>
    saveToolCopies(
      pool(),
      tools.map((tool) => ({ toolId: tool.toolId, version: tool.version, tool })),
    );
  const retire = ({ toolId, version }: ToolContract) => saveToolCopies(pool(), [{ toolId, version }]);
  const hear = async (...tools: ToolContract[]) => {
    for (const stored of await loadToolCopies(
      pool(),
      tools.map(({ toolId }) => toolId),
    ))
      directory.putWhole(stored);
  };

  beforeEach(async () => {
    await database?.drop();
    database = await createScratchDatabase();
    directory = new ToolDirectory(pool(), 2);
    await save(one, two, three);
    for await (const [toolId, copy] of allToolCopies(pool())) directory.put(toolId, copy);
  });
  afterAll(() => database?.drop());

  it('are found by their ids, those that are not kept in the database', async () => {
    for (const tool of [one, two, three, one])
      expect(await directory.find(tool.toolId)).toEqual({ retired: false, tool });
    expect(await directory.find('demo.weather.none.v1')).toBeUndefined();
    expect([directory.size, directory.published]).toEqual([3, 3]);
  });

  it('are given as they are kept, until something else is heard of them', async () => {
    const found = await directory.find(one.toolId);
    await save(named('one', { version: 2 }));
    expect(await directory.find(one.toolId)).toEqual(found);
    await hear(one);
    expect(await directory.find(one.toolId)).toEqual({ retired: false, tool: named('one', { version: 2 }) });
    await retire(named('one', { version: 2 }));
    await hear(one);
    expect(await directory.find(one.toolId)).toEqual({ retired: true });
    expect([directory.size, directory.published, directory.known(one.toolId)?.retired]).toEqual([3, 2, true]);
  });

  it('are not kept in another version than the one that is known', async () => {
    await save(named('one', { version: 2 }));
    expect(await directory.find(one.toolId)).toMatchObject({ tool: { version: 2 } });
    await save(named('one', { version: 3 }));
    expect(await directory.find(one.toolId)).toMatchObject({ tool: { version: 3 } });
    await retire(named('one', { version: 3 }));
    expect(await directory.find(one.toolId)).toEqual({ retired: true });
  });

  it('are not driven out of memory by many that come', async () => {
    await directory.find(one.toolId);
    await directory.find(two.toolId);
    const many = Array.from({ length: 5 }, (_, number) => named(`many${number}`));
    await save(...many);
    await hear(...many);
    await pool().query('DELETE FROM tool_copies');
    const found = await Promise.all([one, two, ...many].map(({ toolId }) => directory.find(toolId)));
    expect(found.map((copy) => copy !== undefined)).toEqual([true, true, false, false, false, false, false]);
  });

  it('are those of a provider as long as they can be called', async () => {
    const ids = async (providerId: string) =>
      (await directory.publishedBy(providerId)).map(({ toolId }) => toolId).sort();
    expect([await ids('demo'), await ids('other'), await ids('none')]).toEqual([
      [one.toolId, two.toolId],
      [three.toolId],
      [],
    ]);
    await retire(two);
    await hear(two);
    expect(await ids('demo')).toEqual([one.toolId]);
  });
});
