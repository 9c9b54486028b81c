import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@capability-router/kernel';
import type { ToolManifest } from '@capability-router/contracts';
import { newAccount, RunningRegistry, type Answer } from '../test-support/running-registry.js';
import { sampleTool } from '../test-support/sample-catalogue.js';
import { withoutVersions } from '../test-support/without-versions.js';
import { proposeTools, type ProposalReport, type ToolSource } from './propose-tools.js';

const admin = { ...newAccount(), scopes: ['admin'] };
let registry: RunningRegistry;
let run = 0;
let source: ToolSource;
let toolId = '';
beforeAll(async () => {
  registry = await RunningRegistry.start();
});
afterAll(() => registry.stop());
beforeEach(() => {
  run += 1;
  source = { name: `openapi:source${run}`, quarantine: true, absent: 'retire' };
  toolId = `geokit.distance.measure${run}.v1`;
});

const propose = (tools: ToolManifest[], over: Partial<ToolSource> = {}, dryRun = false): Promise<ProposalReport> =>
  proposeTools(registry.database.pool, systemClock, { ...source, ...over }, { tools }, { dryRun });
const tool = (over: Partial<ToolManifest> = {}): ToolManifest => sampleTool({ toolId, ...over });
const resultOf = async (report: Promise<ProposalReport>) => (await report).tools.map(({ result }) => result);
const act = (action: string, body: object = {}): Promise<Answer> =>
  registry.post({ url: `/admin/v1/tools/${toolId}:${action}`, body, account: admin });
const read = async (path = ''): Promise<Record<string, unknown>> =>
  (await registry.get({ url: `/admin/v1/tools/${toolId}${path}`, account: admin })).body['data'] as Record<
    string,
    unknown
  >;
const listed = async (status: string): Promise<unknown[]> => {
  const answer = await registry.get({ url: `/admin/v1/tools?status=${status}&limit=500`, account: admin });
  const { items } = answer.body['data'] as { items: { tool_id: string }[] };
  return items.filter((item) => item.tool_id === toolId);
};

describe('a source in quarantine', () => {
  it('has its new tools wait until they are approved', async () => {
    expect(await resultOf(propose([tool()]))).toEqual(['quarantined']);
    expect(await resultOf(propose([tool()]))).toEqual(['unchanged']);
    expect(await listed('quarantined')).toMatchObject([{ status: 'quarantined', source: source.name }]);
    expect(await listed('published')).toEqual([]);
    expect(await read()).toMatchObject({ status: 'quarantined', proposal: { status: 'quarantined' }, versions: [] });
    expect((await act('publish')).status).toBe(409);
    expect((await act('approve')).body['data']).toMatchObject({ status: 'published', version: 1, changed: true });
    expect((await act('approve')).body['data']).toMatchObject({ changed: false });
    expect(await listed('quarantined')).toEqual([]);
    expect(await resultOf(propose([tool()]))).toEqual(['unchanged']);
  });

  it('leaves what is published as it is while a change waits, and shows what the change would do', async () => {
    await propose([tool()], { quarantine: false });
    const changed = tool({ price: { ...tool().price, amountMicroCredits: '900000' }, oneOfRequired: [] });
    expect(await resultOf(propose([changed]))).toEqual(['quarantined']);
    expect(await read()).toMatchObject({
      status: 'published',
      version: 1,
      proposal: { diff: { breaking: false, costs_more: true } },
    });
    expect(await listed('quarantined')).toMatchObject([
      { replaces_version: 1, costs_more: true, changes_destination: false },
    ]);
    expect(await read('/versions/1/diff/proposal')).toMatchObject({
      changes: [
        { path: 'one_of_required', impact: 'compatible' },
        { path: 'price', impact: 'cost' },
      ],
    });
    const { proposal } = (await read()) as { proposal: { schema_hash: string } };
    await propose([tool({ timeoutMs: 9_000 })]);
    expect((await act('approve', { schema_hash: proposal.schema_hash })).status).toBe(409);
    expect((await act('approve')).body['data']).toMatchObject({ version: 2 });
    expect(await read('/versions/1/diff/2')).toMatchObject({ breaking: false, changes: [{ path: 'timeout_ms' }] });
    expect(await read()).toMatchObject({ versions: [{ version: 2 }, { version: 1 }] });
  });

  it('says in the list and in the diff that a change leads to another place', async () => {
    const binding = { kind: 'http', method: 'GET', url: 'https://a.example/x', placements: {}, auth: { kind: 'none' } };
    const at = (url: string) => tool({ binding: { ...binding, url } as ToolManifest['binding'] });
    await propose([at('https://a.example/x')], { quarantine: false });
    expect(await resultOf(propose([at('https://b.example/x')]))).toEqual(['quarantined']);
    const verdict = { breaking: false, costs_more: false, changes_destination: true };
    expect(await listed('quarantined')).toMatchObject([verdict]);
    expect(await read()).toMatchObject({ proposal: { diff: verdict } });
    expect(await read('/versions/1/diff/proposal')).toMatchObject({
      ...verdict,
      changes: [
        { path: 'binding.url', impact: 'destination', before: 'https://a.example', after: 'https://b.example' },
      ],
    });
  });

  it('is not asked again about what was rejected, until it changes', async () => {
    await propose([tool()]);
    expect((await act('reject')).body['data']).toMatchObject({ status: 'rejected', changed: true });
    expect((await act('reject')).body['data']).toMatchObject({ changed: false });
    expect(await resultOf(propose([tool()]))).toEqual(['rejected']);
    expect(await resultOf(propose([tool({ timeoutMs: 9_000 })]))).toEqual(['quarantined']);
  });

  it('that goes back to what is published has nothing waiting any more', async () => {
    await propose([tool()], { quarantine: false });
    await propose([tool({ timeoutMs: 9_000 })]);
    expect(await resultOf(propose([tool()]))).toEqual(['unchanged']);
    expect(await listed('quarantined')).toEqual([]);
  });

  it('read again completes a change of its provider that broke off', async () => {
    const provider = { providerId: `library${run}`, name: { en: 'Library' }, description: { en: 'Books.' } };
    const mine = tool({ providerId: provider.providerId });
    const { pool } = registry.database;
    const from = (name: string, tools: ToolManifest[]) =>
      proposeTools(
        pool,
        systemClock,
        { ...source, quarantine: false },
        { provider: { ...provider, name: { en: name } }, tools },
      );
    await from('Library', [mine]);
    await expect(withoutVersions(registry.database, () => from('Village library', []))).rejects.toThrow('none_for_now');
    expect(await from('Village library', [])).toMatchObject({ provider: { result: 'unchanged' } });
    expect(await read()).toMatchObject({ version: 2 });
  });

  it('retires what it does not name any more, or says so where tools are kept', async () => {
    await propose([tool()], { quarantine: false });
    expect((await propose([], { absent: 'keep' })).absent).toEqual([toolId]);
    expect((await propose([], {}, true)).absent).toEqual([toolId]);
    expect(await listed('published')).toHaveLength(1);
    expect((await propose([])).absent).toEqual([toolId]);
    expect(await listed('retired')).toMatchObject([{ retired_by: 'source' }]);
  });
});

describe('a tool that an operator has retired', () => {
  it('stays so whatever its source says, until it is restored', async () => {
    await propose([tool()], { quarantine: false });
    expect((await act('retire')).body['data']).toMatchObject({ status: 'retired', changed: true });
    expect((await act('retire')).body['data']).toMatchObject({ changed: false });
    expect(await resultOf(propose([tool()], { quarantine: false }))).toEqual(['unchanged']);
    expect(await resultOf(propose([tool({ timeoutMs: 9_000 })], { quarantine: false }))).toEqual(['stays_retired']);
    expect(await listed('retired')).toMatchObject([{ retired_by: 'operator', version: 2 }]);
    expect((await act('restore')).body['data']).toMatchObject({ status: 'published', version: 2 });
    expect((await act('restore')).body['data']).toMatchObject({ changed: false });
  });
});

describe('actions on tools', () => {
  it('that are none, or on tools that are none, are not found', async () => {
    expect((await act('retire')).status).toBe(404);
    expect((await act('frobnicate')).status).toBe(404);
    for (const url of ['/admin/v1/tools/nonsense:retire', '/admin/v1/tools/12345', `/admin/v1/tools/${toolId}`]) {
      expect((await registry.get({ url, account: admin })).status).toBe(404);
    }
    await propose([tool()], { quarantine: false });
    for (const path of ['/versions/1/diff/2', '/versions/0/diff/1', '/versions/1/diff/proposal']) {
      expect((await registry.get({ url: `/admin/v1/tools/${toolId}${path}`, account: admin })).status).toBe(404);
    }
  });

  it('need the admin scope, and known values', async () => {
    const account = newAccount();
    expect((await registry.get({ url: '/admin/v1/tools', account })).status).toBe(403);
    expect((await registry.post({ url: `/admin/v1/tools/${toolId}:retire`, body: {}, account })).status).toBe(403);
    for (const query of ['status=lost', 'limit=0', 'limit=501', 'limit=x', 'colour=red']) {
      expect((await registry.get({ url: `/admin/v1/tools?${query}`, account: admin })).status).toBe(422);
    }
    expect((await act('approve', { schema_hash: 'x' })).status).toBe(422);
  });
});
