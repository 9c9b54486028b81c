/** @postgres-versions Statements unnest JSON records and compare rows under an advisory lock. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CapabilityManifest } from '@capability-router/contracts';
import { readStream } from '@capability-router/event-store';
import { systemClock } from '@capability-router/kernel';
import { sampleTool } from '../bindings/test-support/sample-tool.js';
import { findCapability, findContract, listContracts } from '../contracts/capabilities.js';
import { changeCapabilityStatus, type CapabilityAction } from '../contracts/change-status.js';
import { KnownContracts } from '../contracts/known-contracts.js';
import { publishCapabilities } from '../contracts/publish-capabilities.js';
import { Expressions } from '../expressions/expressions.js';
import { saveDeclarations } from '../declared/declared-capabilities.sql.js';
import { listCapabilities } from '../list/list-capabilities.sql.js';
import { CapabilityIndex } from '../resolution/capability-index.js';
import { sampleCapability } from '../test-support/sample-capability.js';
import { sampleTool as catalogueTool } from '../test-support/sample-tool.js';
import { createScratchDatabase, type ScratchDatabase } from '../test-support/scratch-database.js';
import { copyTools } from '../tool-copies/copy-tools.js';
import { readVersions } from '../versions/capability-versions.js';
import { applyCapabilities, type ApplyOptions } from './apply-capabilities.js';
import type { WrittenCapability } from './manifest/read-capability.js';

let database: ScratchDatabase;
beforeAll(async () => {
  database = await createScratchDatabase();
});
const expressions = new Expressions({ error: () => undefined });
afterAll(async () => {
  await expressions.onApplicationShutdown();
  await database.drop();
});

const written = (capabilityId: string, over: Partial<CapabilityManifest> = {}): WrittenCapability => ({
  manifest: sampleCapability({ capabilityId, ...over }),
});
const apply = async (one: WrittenCapability, options: Partial<ApplyOptions> = {}) => {
  const all = await applyCapabilities(database.pool, systemClock, expressions, [one], {
    allowBreaking: false,
    dryRun: false,
    ...options,
  });
  return all[0];
};
const act = (capabilityId: string, action: CapabilityAction, schemaHash?: string) =>
  changeCapabilityStatus(database.pool, systemClock, { capabilityId, action, schemaHash });
const typesOf = async (id: string) =>
  (await readStream(database.pool, id)).map(({ sequence, type }) => [sequence, type]);
const unsafe = { effect: 'unsafe' as const };

describe('a contract that an administrator writes', () => {
  it('is one event for each change, and none where nothing changed, by however many at once', async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => apply(written('made.once'))));
    expect(outcomes.map((outcome) => outcome?.result).sort()).toEqual(['created', 'unchanged', 'unchanged']);
    expect(await apply(written('made.once', { name: { en: 'Once' } }))).toMatchObject({
      result: 'changed',
      contractVersion: 2,
    });
    expect(await typesOf('made.once')).toEqual([
      [1, 'CapabilityPublished'],
      [2, 'CapabilityPublished'],
    ]);
    expect((await findContract(database.pool, 'made.once'))?.name).toEqual({ en: 'Once' });
  });

  it('breaks callers only where that is meant, and writes nothing where it is asked what would be', async () => {
    await apply(written('made.broken'));
    const refused = await apply(written('made.broken', unsafe));
    expect(refused).toMatchObject({ result: 'refused', details: [{ loc: ['body', 'effect'] }] });
    const dry = await apply(written('made.broken', unsafe), { allowBreaking: true, dryRun: true });
    expect(dry).toMatchObject({ result: 'changed', contractVersion: 2, diff: { breaking: true } });
    expect(await typesOf('made.broken')).toHaveLength(1);
    expect(await apply(written('made.broken', unsafe), { allowBreaking: true })).toMatchObject({ contractVersion: 2 });
  });

  it('is the one of two that replace the same contract', async () => {
    await apply(written('made.raced'));
    const { schemaHash } = (await findContract(database.pool, 'made.raced')) ?? {};
    const names = ['one', 'two'].map((en) => ({
      ...written('made.raced', { name: { en } }),
      ...(schemaHash === undefined ? {} : { schemaHash }),
    }));
    const outcomes = await Promise.all(names.map((one) => apply(one)));
    expect(outcomes.map((outcome) => outcome?.result).sort()).toEqual(['changed', 'refused']);
  });

  it('is not taken back by a build, which still follows what nobody has written over', async () => {
    const builtin = sampleCapability({ capabilityId: 'made.taken' });
    await publishCapabilities(database.pool, systemClock, [builtin]);
    await apply(written('made.taken', { name: { en: 'Ours' } }));
    expect(await publishCapabilities(database.pool, systemClock, [builtin])).toBe(0);
    expect(await findCapability(database.pool, 'made.taken')).toMatchObject({ source: 'manifest', contractVersion: 2 });
  });
});

describe('a contract that is retired', () => {
  const listed = async (words: string[]): Promise<number> =>
    (await listCapabilities(database.pool, { words, skip: 0, limit: 10 })).total;

  it('is out of the sight of callers until it is restored as it was, with every version', async () => {
    await apply(written('made.hidden'));
    await apply(written('made.hidden', { name: { en: 'Hidden' } }));
    expect(await listed(['made.hidden'])).toBe(1);
    expect(await act('made.hidden', 'retire')).toEqual({ result: 'done', contractVersion: 2 });
    expect(await act('made.hidden', 'retire')).toEqual({ result: 'unchanged', contractVersion: 2 });
    expect([await findContract(database.pool, 'made.hidden'), await listed(['made.hidden'])]).toEqual([undefined, 0]);
    const retired = await listContracts(database.pool, { retired: true, after: '', limit: 10 });
    expect(retired.map(({ capabilityId }) => capabilityId)).toContain('made.hidden');
    expect(await apply(written('made.hidden'))).toMatchObject({ result: 'refused' });
    expect(await act('made.hidden', 'restore')).toEqual({ result: 'done', contractVersion: 2 });
    expect(await findContract(database.pool, 'made.hidden')).toMatchObject({
      contractVersion: 2,
      name: { en: 'Hidden' },
    });
    expect(await typesOf('made.hidden')).toEqual([
      [1, 'CapabilityPublished'],
      [2, 'CapabilityPublished'],
      [3, 'CapabilityRetired'],
      [4, 'CapabilityPublished'],
    ]);
    const versions = await readVersions(database.pool, 'made.hidden');
    expect(versions.map(({ contract }) => contract.contractVersion)).toEqual([1, 2]);
    expect(await apply(written('made.hidden'))).toMatchObject({ result: 'changed', contractVersion: 3 });
  });

  it('is in the memory of no replica any more, by id or by words, once it has looked', async () => {
    const words = { name: { en: 'Zebra stripes' }, description: { en: 'Counts the stripes of a zebra.' } };
    await apply(written('made.zebra', words));
    const contracts = new KnownContracts(database.pool);
    const index = new CapabilityIndex(contracts);
    const known = async () => {
      await index.refresh();
      const meant = index.resolve('count the stripes of a zebra').resolved?.capabilityId;
      return [contracts.of('made.zebra')?.contractVersion, meant];
    };
    expect(await known()).toEqual([1, 'made.zebra']);
    await act('made.zebra', 'retire');
    expect(await known()).toEqual([undefined, undefined]);
    await act('made.zebra', 'restore');
    await apply(written('made.zebra', { ...words, name: { en: 'Stripes of zebras' } }));
    expect(await known()).toEqual([2, 'made.zebra']);
  });

  it('leaves an id that tools declare to them', async () => {
    await apply(written('made.declared'));
    const declared = {
      toolId: 'a.b.c.v1',
      version: 1,
      capabilityIds: ['made.declared'],
      description: { en: 'A tool.' },
    };
    await saveDeclarations(database.pool, [declared]);
    const found = async () =>
      (await listCapabilities(database.pool, { words: ['made.declared'], skip: 0, limit: 10 })).capabilities;
    expect(await found()).toMatchObject([{ contract: { contractVersion: 1 } }]);
    await act('made.declared', 'retire');
    expect(await found()).toEqual([{ capabilityId: 'made.declared', description: { en: 'A tool.' } }]);
  });

  it('stays retired, whatever a build has', async () => {
    const builtin = sampleCapability({ capabilityId: 'made.gone' });
    await publishCapabilities(database.pool, systemClock, [builtin]);
    await act('made.gone', 'retire');
    expect(await publishCapabilities(database.pool, systemClock, [{ ...builtin, name: { en: 'Next' } }])).toBe(0);
  });

  it('is the one that was looked at', async () => {
    await apply(written('made.looked'));
    const conflict = await act('made.looked', 'retire', '0'.repeat(64));
    expect(conflict).toMatchObject({ result: 'conflict', schemaHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await act('made.none', 'retire')).toEqual({ result: 'unknown_capability' });
  });
});

describe('a binding', () => {
  const { resultSchema, ...tool } = sampleTool();
  const published = (version: number, over: object = {}) => ({
    id: `event-${version}`,
    type: 'ToolPublished',
    data: { tool: { ...catalogueTool(), ...tool, version, resultPredicates: { schema: resultSchema }, ...over } },
  });
  const copy = (...events: object[]): Promise<void> => copyTools(database.pool, events as never);
  const candidates = [
    {
      toolId: tool.toolId,
      parameters: { start: { from: '$.from' }, end: { from: '$.to' } },
      result: { distance_km: { from: '$.km' } },
    },
  ];
  const bind = () => apply(written('made.bound', { candidates }), { dryRun: true });

  it('is held against the tool as the catalogue has it, once that is known', async () => {
    expect(await bind()).toMatchObject({ bindings: [{ status: 'unknown_tool' }] });
    await copy(published(1));
    expect(await bind()).toMatchObject({ bindings: [{ status: 'fits', toolVersion: 1 }] });
    const strict = { parametersSchema: { ...tool.parametersSchema, required: ['unit'] } };
    // Twice, and an older one after it: the newest stays.
    await copy(published(2, strict), published(2, strict));
    await copy(published(1));
    expect(await bind()).toMatchObject({
      result: 'invalid',
      details: [{ loc: ['candidates', 0, 'parameters', 'unit'] }],
    });
    await copy({ id: 'gone', type: 'ToolRetired', data: { toolId: tool.toolId, version: 2, retiredAt: '' } });
    expect(await bind()).toMatchObject({ bindings: [{ status: 'unknown_tool' }] });
    await copy(published(2));
    expect(await bind()).toMatchObject({ bindings: [{ status: 'fits', toolVersion: 2 }] });
  });
});
