import { beforeAll, describe, expect, it } from '@jest/globals';
import { anyObject, inspectResponse, inspectedTool } from '@capability-router/contracts/answers';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listUsage } from './support/audit.js';
import { eventually } from './support/eventually.js';
import { expectShape } from './support/expect-shape.js';
import { call } from './support/http.js';
import { asArray, asObject, asString, type JsonObject } from './support/json.js';

let account: TestAccount;
let searchId: string;
let toolIds: string[];
beforeAll(async () => {
  account = await newAccount();
  const found = await call('POST', '/search', { key: account.key, body: { query: 'convert or calculate', limit: 3 } });
  searchId = asString(found.json['search_id'], 'search_id');
  toolIds = asArray(found.json['results']).map((tool) => asString(asObject(tool)['tool_id']));
  expect(toolIds.length).toBeGreaterThan(1);
});

const inspect = (body: unknown) => call('POST', '/tools/by-ids', { key: account.key, body });
const tools = (json: Record<string, unknown>) => asArray(json['results'], 'results').map((tool) => asObject(tool));

describe('POST /tools/by-ids', () => {
  it('answers the full shape of each tool', async () => {
    const reply = await inspect({ tool_ids: toolIds, search_id: searchId });
    expect(reply.status).toBe(200);
    expectShape(reply.json, inspectResponse(inspectedTool));
    expect(reply.json['total']).toBe(toolIds.length);
  });

  it('keeps the order of the request', async () => {
    const reversed = [...toolIds].reverse();
    const reply = await inspect({ tool_ids: reversed });
    expect(tools(reply.json).map((tool) => tool['tool_id'])).toEqual(reversed);
  });

  it('leaves out ids that it does not know', async () => {
    const reply = await inspect({ tool_ids: ['nobody.nothing.never.v1', toolIds[0], 'not a tool id'] });
    expect(reply.status).toBe(200);
    expect(tools(reply.json).map((tool) => tool['tool_id'])).toEqual([toolIds[0]]);
    expect(reply.json['total']).toBe(1);
    expect(reply.json['error_message']).toEqual(expect.stringContaining('nobody.nothing.never.v1'));
    expect(reply.json['error_message']).toEqual(expect.stringContaining('not a tool id'));
  });

  it('gives a tool that is asked for twice once', async () => {
    const [first, second] = toolIds;
    const reply = await inspect({ tool_ids: [second, first, second] });
    expect(tools(reply.json).map((tool) => tool['tool_id'])).toEqual([second, first]);
    expect(reply.json['error_message'] ?? null).toBeNull();
  });

  it('answers without a result where it knows none of the ids', async () => {
    const reply = await inspect({ tool_ids: ['nobody.nothing.never.v1'] });
    expect(reply.status).toBe(200);
    expectShape(reply.json, inspectResponse(inspectedTool));
    expect(reply.json['total']).toBe(0);
  });

  it('leaves search_id out where none was sent, or none that a search can have', async () => {
    for (const sent of [{}, { search_id: null }, { search_id: 'srch_failed' }, { search_id: 'made up' }]) {
      const reply = await inspect({ tool_ids: toolIds, ...sent });
      expect(reply.status).toBe(200);
      expect(reply.json).not.toHaveProperty('search_id');
    }
  });

  it('speaks Chinese by Accept-Language', async () => {
    const chinese = /\p{Script=Han}/u;
    const reply = await call('POST', '/tools/by-ids', {
      key: account.key,
      body: { tool_ids: toolIds },
      headers: { 'accept-language': 'zh-CN' },
    });
    for (const tool of tools(reply.json)) {
      expect(tool['name']).toMatch(chinese);
      expect(JSON.stringify(tool['params'])).toMatch(chinese);
    }
  });

  it('answers less of each tool with view=lean', async () => {
    const full = await inspect({ tool_ids: toolIds });
    const lean = await inspect({ tool_ids: toolIds, view: 'lean' });
    expectShape(lean.json, inspectResponse(anyObject));
    expect(tools(lean.json).map((tool) => tool['tool_id'])).toEqual(toolIds);
    for (const [index, tool] of tools(lean.json).entries()) {
      const complete = asObject(tools(full.json)[index]);
      expect(complete).toEqual(expect.objectContaining({ tool_id: tool['tool_id'] }));
      expect(Object.keys(complete)).toEqual(expect.arrayContaining(Object.keys(tool)));
      expect(Object.keys(tool).length).toBeLessThan(Object.keys(complete).length);
    }
  });

  it('agrees with what Discover said about the same tool', async () => {
    const found = await call('POST', '/search', { key: account.key, body: { query: toolIds[0] } });
    const discovered = asObject(asArray(found.json['results'])[0]);
    const inspected = asObject(tools((await inspect({ tool_ids: [toolIds[0]] })).json)[0]);
    for (const field of ['name', 'description', 'provider_name', 'billing_rule', 'expected_cost', 'one_of_required']) {
      expect([field, inspected[field]]).toEqual([field, discovered[field]]);
    }
    const parameters = (tool: JsonObject) =>
      asArray(tool['params'])
        .map((param) => asObject(param))
        .map(({ name, type, required }) => ({ name, type, required }));
    expect(parameters(inspected)).toEqual(parameters(discovered));
  });

  it('leaves one usage event beside that of its search', async () => {
    const found = await call('POST', '/search', { key: account.key, body: { query: 'distance', limit: 1 } });
    const flow = asString(found.json['search_id'], 'search_id');
    await inspect({ tool_ids: toolIds, search_id: flow });
    await eventually(async () => {
      const rows = await listUsage(account.key, { search_id: flow });
      expect(rows.map((row) => row['event_type']).sort()).toEqual(['search', 'search_by_ids']);
      expect(rows.map((row) => row['charge_outcome'])).toEqual(['included', 'included']);
    });
  });
});
