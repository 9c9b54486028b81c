import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newAccount, RunningRegistry } from '../test-support/running-registry.js';
import { sampleSource, sampleTool } from '../test-support/sample-catalogue.js';

const url = '/api/v1/tools/by-ids';
const ids = ['geokit.distance.compute.v1', 'geokit.distance.compute.v2'];

describe('Inspect', () => {
  let registry: RunningRegistry;
  beforeAll(async () => {
    registry = await RunningRegistry.start(sampleSource({ tools: ids.map((toolId) => sampleTool({ toolId })) }));
  });
  afterAll(() => registry.stop());

  it('gives the tools in the order of the request, with bounds of their params, and leaves one usage event', async () => {
    const account = newAccount();
    const searchId = `srch_${'0'.repeat(32)}`;
    const { status, body } = await registry.post({
      url,
      account,
      body: { tool_ids: [...ids].reverse(), search_id: searchId, extra: 1 },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ search_id: searchId, total: 2, error_message: null, remaining_credits: 995.5 });
    const results = body['results'] as { tool_id: string; params: object[] }[];
    expect(results.map((result) => result.tool_id)).toEqual([...ids].reverse());
    expect(results[0]?.params[0]).toMatchObject({ name: 'from', minLength: 1 });
    const events = await registry.usageEventsOf(account);
    expect(events.map((event) => [event.type, event.data])).toMatchObject([
      ['ToolsInspected', { searchId, requestedCount: 2, resultCount: 2, success: true }],
    ]);
  });

  it('reports unknown ids without failing the rest, and leaves search_id out where there is none', async () => {
    const { body } = await registry.post({
      url,
      account: newAccount(),
      body: { tool_ids: ['no.such.tool.v1', ids[0]], search_id: null, view: 'lean' },
    });
    expect(body).toMatchObject({ total: 1, error_message: expect.stringContaining('no.such.tool.v1') });
    expect(body).not.toHaveProperty('search_id');
    expect(body['results']).toMatchObject([{ tool_id: ids[0] }]);
    expect(JSON.stringify(body['results'])).not.toContain('billing_rule');
  });

  it('tells a retired tool from one that never was', async () => {
    await registry.database.pool.query(
      `INSERT INTO tools (tool_id, provider_id, source, status, version, schema_hash, contract_hash, contract, event_sequence, changed_at)
       SELECT 'geokit.distance.gone.v1', provider_id, source, 'retired', 1, schema_hash, contract_hash, contract, 2, now()
         FROM tools WHERE tool_id = $1`,
      [ids[0]],
    );
    const tool_ids = ['geokit.distance.gone.v1', ids[0], 'geokit.distance.never.v1'];
    const { body } = await registry.post({ url, account: newAccount(), body: { tool_ids } });
    expect(body).toMatchObject({
      total: 1,
      error_message:
        'Unknown tool ids: geokit.distance.never.v1. Retired tool ids: geokit.distance.gone.v1. ' +
        'Search again and use tool ids exactly as returned.',
    });
  });

  it('gives a tool that is asked for twice once, and counts what was asked for', async () => {
    const account = newAccount();
    const { body } = await registry.post({ url, account, body: { tool_ids: [ids[1], ids[0], ids[1]] } });
    expect((body['results'] as { tool_id: string }[]).map((result) => result.tool_id)).toEqual([ids[1], ids[0]]);
    const [event] = await registry.usageEventsOf(account);
    expect(event?.data).toMatchObject({ requestedCount: 3, resultCount: 2 });
  });

  it('speaks the language of the caller, down to the parameters', async () => {
    const headers = { 'accept-language': 'zh-CN' };
    const { body } = await registry.post({ url, account: newAccount(), headers, body: { tool_ids: [ids[0]] } });
    expect(body['results']).toMatchObject([
      {
        name: '城市距离',
        provider_name: '地理工具',
        categories: [{ slug: 'geography', name: '地理' }],
        params: [{ name: 'from', description: '出发城市。' }, { name: 'to' }, { name: 'to_code' }],
        billing_rule: { description: expect.stringContaining('积分') },
      },
    ]);
  });

  it('is not refused for a search id that is made up, and links nothing to one that no search can have', async () => {
    const account = newAccount();
    for (const search_id of [`srch_${'f'.repeat(32)}`, 'srch_failed', '?']) {
      expect((await registry.post({ url, account, body: { tool_ids: ids, search_id } })).status).toBe(200);
    }
    const events = await registry.usageEventsOf(account);
    expect(events.map(({ data }) => (data as { searchId?: string }).searchId)).toEqual([
      `srch_${'f'.repeat(32)}`,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['no tool ids', {}],
    ['an empty list', { tool_ids: [] }],
    ['1,000 ids', { tool_ids: Array.from({ length: 1_000 }, () => ids[0]) }],
    ['101 ids', { tool_ids: Array.from({ length: 101 }, () => ids[0]) }],
    ['an id that is a number', { tool_ids: [5] }],
    ['an id with a control character', { tool_ids: ['a\u0000b'] }],
    ['a text for a list', { tool_ids: ids[0] }],
    ['an unknown view', { tool_ids: ids, view: 'routing' }],
  ])('refuses %s with 422, and leaves one usage event of the refusal', async (_name, body) => {
    const account = newAccount();
    const answer = await registry.post({ url, account, body });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ message: expect.any(String), detail: expect.any(Array) });
    const events = await registry.usageEventsOf(account);
    expect(events.map((event) => event.data)).toMatchObject([{ success: false, reasonCode: 'validation_error' }]);
  });
});
