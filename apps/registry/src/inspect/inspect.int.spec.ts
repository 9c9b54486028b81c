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

  it.each([
    ['no tool ids', {}],
    ['an empty list', { tool_ids: [] }],
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
