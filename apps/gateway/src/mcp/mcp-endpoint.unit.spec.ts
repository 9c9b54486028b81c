import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { internalHeaders } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { errorOf, readReply, resultOf, revisions, sendMcp, toolCall } from '../test-support/mcp-client.js';
import { adminKey, RunningGateway, unknownKey, validKey } from '../test-support/running-gateway.js';

let gateway: RunningGateway;
beforeEach(() => {
  gateway = new RunningGateway();
});
afterEach(() => gateway.stop());

const executionId = `exec_${'0'.repeat(32)}`;
const searched = { query: 'q', search_id: `srch_${'0'.repeat(32)}`, total: 0, results: [] };
describe.each(revisions)('the endpoint in revision %s', (revision) => {
  const send = (
    ...[method, params, options]: Parameters<typeof sendMcp> extends [unknown, unknown, ...infer R] ? R : never
  ) => sendMcp(gateway, revision, method, params, options);

  it('has tools with schemas of what they take and give, and what hosts may assume of each', async () => {
    await gateway.start();
    const { tools } = resultOf(await send('tools/list')) as { tools: JsonObject[] };
    expect(tools.map(({ name }) => name)).toEqual([
      'discover',
      'inspect',
      'probe',
      'call',
      'query_capability',
      'usage_history',
      'credits_ledger',
    ]);
    for (const tool of tools) {
      expect(tool).toMatchObject({ inputSchema: { type: 'object' }, outputSchema: { type: 'object' } });
      const spends = tool['name'] === 'call' || tool['name'] === 'query_capability';
      expect(tool['annotations']).toMatchObject({
        readOnlyHint: !spends,
        destructiveHint: spends,
        idempotentHint: !spends,
        openWorldHint: spends,
      });
    }
  });

  it('asks the interface as the caller, with what a header says there', async () => {
    await gateway.start();
    gateway.upstream.answer(
      200,
      { execution_id: executionId, success: true, result: { data: 1 } },
      { 'idempotency-replayed': 'true' },
    );
    const given = { tool_id: 'a.b.c.v1', parameters: { x: [1, 'é'] }, session_id: 's', cache_mode: 'bypass' };
    const reply = await send('tools/call', toolCall('call', given, { 'capability-router/idempotency-key': 'k-1' }), {
      headers: { 'accept-language': 'zh', 'x-request-id': 'mine-1' },
    });
    expect(reply.headers.get('x-request-id')).toBe('mine-1');
    expect(resultOf(reply)).toMatchObject({
      structuredContent: { execution_id: executionId },
      isError: false,
      _meta: { 'capability-router/idempotency-replayed': true },
    });
    const [asked] = gateway.upstream.seen;
    const { cache_mode: _header, ...body } = given;
    expect(asked).toMatchObject({ method: 'POST', path: '/api/v1/tools/execute' });
    expect(JSON.parse(asked?.body ?? '')).toEqual(body);
    expect(asked?.headers).toMatchObject({
      'idempotency-key': 'k-1',
      'x-service-cache-mode': 'bypass',
      'accept-language': 'zh',
      [internalHeaders.requestId]: 'mine-1',
      [internalHeaders.clientAddress]: '127.0.0.1',
      [internalHeaders.executionId]: expect.stringMatching(/^exec_/),
    });
    expect(JSON.stringify(asked?.headers)).not.toContain(validKey);
  });

  it.each<[string, JsonObject, string, string]>([
    ['discover', { query: 'q' }, 'POST', '/api/v1/search'],
    ['inspect', { tool_ids: ['a.b.c.v1'] }, 'POST', '/api/v1/tools/by-ids'],
    ['probe', { tool_id: 'a.b.c.v1' }, 'POST', '/api/v1/tools/probe'],
    ['query_capability', { query: 'q', max_credits: 1 }, 'POST', '/api/v1/capabilities/query'],
    [
      'usage_history',
      { success: true, page: 2, search_id: null },
      'GET',
      '/api/v1/auth/usage/history/v2?limit=10&success=true&page=2',
    ],
    ['credits_ledger', { limit: 5, scope: 'a&b' }, 'GET', '/api/v1/auth/credits/ledger?limit=5&scope=a%26b'],
  ])('%s is the request %j', async (name, given, method, path) => {
    await gateway.start();
    gateway.upstream.answer(200, { status: 'success', message: 'ok', data: { items: [] } });
    await send('tools/call', toolCall(name, given));
    expect(gateway.upstream.seen).toHaveLength(1);
    expect(gateway.upstream.seen[0]).toMatchObject({
      method,
      path,
      ...(method === 'POST' ? { body: JSON.stringify(given) } : {}),
    });
  });

  it('counts a call of a tool as what it becomes, and everything else as a read', async () => {
    await gateway.start({ RATE_LIMIT_DISCOVER: '1', RATE_LIMIT_READ: '2' });
    gateway.upstream.answer(200, searched);
    expect(resultOf(await send('tools/call', toolCall('discover', { query: 'q' })))).toMatchObject({ isError: false });
    const full = resultOf(await send('tools/call', toolCall('discover', { query: 'q' })));
    expect(full).toMatchObject({ isError: true, _meta: { 'capability-router/http-status': 429 } });
    expect(full).not.toHaveProperty('structuredContent');
    expect(gateway.upstream.seen).toHaveLength(1);
    expect((await send('tools/list')).status).toBe(200);
    expect((await gateway.post('/mcp', '{', validKey)).status).toBe(400);
    const limited = await send('tools/call', toolCall('no_such_tool'));
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect(errorOf(limited)).toMatchObject({ message: expect.stringContaining('Rate limit') });
    expect((await gateway.post('/mcp', '{', validKey)).status).toBe(429);
    expect((await gateway.fetch('/api/v1/auth/credits')).status).toBe(429);
  });

  it('forbids a tool to a key without its scope, as the interface does', async () => {
    await gateway.start({ RATE_LIMIT_CALL: '1' });
    const reply = await send('tools/call', toolCall('call', {}), { key: adminKey });
    expect(reply.status).toBe(403);
    expect(reply.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="call"');
    expect(errorOf(reply)).toMatchObject({ data: { code: 'insufficient_scope', scope: 'call' } });
    expect((await send('tools/call', toolCall('call', {}), { key: adminKey })).status).toBe(429);
    expect((await send('tools/list', {}, { key: adminKey })).status).toBe(200);
    expect(gateway.upstream.seen).toHaveLength(0);
    expect(gateway.logs).toEqual([expect.objectContaining({ log: 'security', scope: 'call' })]);
  });

  it('leads somebody without a valid key to where tokens are to be had', async () => {
    await gateway.start();
    for (const key of ['', unknownKey]) {
      const reply = await send('tools/list', {}, { key });
      expect([reply.status, errorOf(reply)['message']]).toEqual([401, 'Invalid API key']);
      const challenge = reply.headers.get('www-authenticate') ?? '';
      const { pathname } = new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
      expect(await (await gateway.fetch(pathname, {}, '')).json()).toMatchObject({
        resource: 'http://localhost/mcp',
        authorization_servers: ['http://localhost'],
      });
    }
  });

  it('refuses pages that nobody named, before it looks at who asks', async () => {
    await gateway.start({ MCP_ALLOWED_ORIGINS: 'https://agents.example' });
    const statuses = [];
    for (const origin of [
      'http://localhost',
      'https://agents.example',
      'https://evil.example',
      'null',
      'http://localhost:80',
    ]) {
      statuses.push((await send('tools/list', {}, { headers: { origin } })).status);
    }
    expect(statuses).toEqual([200, 200, 403, 403, 403]);
    expect((await send('tools/list', {}, { key: '', headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });

  it('says in the words of the protocol what there is not', async () => {
    await gateway.start();
    expect(errorOf(await send('tools/call', toolCall('no_such_tool')))).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('"no_such_tool"'),
    });
    expect(errorOf(await send('tools/list', { cursor: 'x' }))).toMatchObject({ code: -32_602 });
    for (const method of ['resources/list', 'prompts/get', 'logging/setLevel', 'tools/nothing']) {
      expect(errorOf(await send(method, { name: 'x', level: 'debug' }))).toMatchObject({ code: -32_601 });
    }
    const version = await send('tools/list', {}, { headers: { 'mcp-protocol-version': '2024-01-01' } });
    expect([version.status, errorOf(version)['code']]).toEqual([400, expect.any(Number)]);
    expect(gateway.logs).toEqual([]);
  });

  it('tells a model what is wrong with arguments that no request can hold', async () => {
    await gateway.start();
    const odd = [
      toolCall('usage_history', { execution_id: ['a'] }),
      toolCall('call', {}, { 'capability-router/idempotency-key': 'ä b' }),
      toolCall('call', {}, { 'capability-router/idempotency-key': 7 }),
      toolCall('call', { tool_id: 'a.b.c.v1', parameters: {}, max_credit: 1 }),
      toolCall('usage_history', { executionid: 'exec_1' }),
    ];
    for (const params of odd) expect(resultOf(await send('tools/call', params))).toMatchObject({ isError: true });
    expect(gateway.upstream.seen).toHaveLength(0);
    const misspelt = JSON.stringify(resultOf(await send('tools/call', toolCall('call', { max_credit: 1 }))));
    expect(misspelt).toContain(
      'There is no argument \\"max_credit\\", and nothing was done. call takes tool_id, parameters,',
    );
    gateway.upstream.answer(422, { message: 'no' });
    await send('tools/call', toolCall('call', { cache_mode: 'ä' }));
    expect(gateway.upstream.seen[0]?.headers['x-service-cache-mode']).toBe('unknown');
  });

  it('counts as a read what never becomes a request, whoever refuses it', async () => {
    await gateway.start({ RATE_LIMIT_READ: '3' });
    const odd = [
      toolCall('usage_history', { execution_id: ['a'] }),
      toolCall('call', {}, { 'capability-router/idempotency-key': 7 }),
      toolCall('call', {}, { progressToken: {} }),
    ];
    const statuses = [];
    for (const params of [...odd, ...odd]) statuses.push((await send('tools/call', params)).status);
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, true, true, true]);
    expect((await gateway.fetch('/api/v1/auth/credits')).status).toBe(429);
    expect(gateway.upstream.seen).toHaveLength(0);
    expect(resultOf(await send('tools/call', toolCall('call', {})))).toBeDefined();
    expect(gateway.upstream.seen).toHaveLength(1);
  });

  it('says what became of a call whose service died, and nothing of its cause', async () => {
    await gateway.start();
    gateway.upstream.behave = (_request, response) => response.destroy();
    const reply = await send('tools/call', toolCall('call', { tool_id: 'a.b.c.v1', parameters: {} }));
    expect(reply.status).toBe(200);
    expect(resultOf(reply)).toMatchObject({
      isError: true,
      structuredContent: { execution_id: expect.stringMatching(/^exec_/), success: false },
      _meta: { 'capability-router/http-status': 502 },
    });
    expect(JSON.stringify(reply.message)).not.toMatch(/ECONN|socket|127\.0\.0\.1/);
  });
});

describe('the endpoint', () => {
  it('has nothing at other methods, and takes one message a request', async () => {
    await gateway.start();
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const reply = await gateway.fetch('/mcp', { method });
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const accept = { accept: 'application/json, text/event-stream' };
    const outcomes = [];
    const bodies: readonly [unknown, Record<string, string>][] = [
      [ping, accept],
      [[ping], accept],
      ['"text"', accept],
      ['', accept],
      ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', accept],
      [ping, { accept: 'application/json' }],
      [ping, { ...accept, 'content-type': 'text/plain' }],
      [{ ...ping, filling: 'x'.repeat(1_100_000) }, accept],
      [{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, accept],
    ];
    for (const [body, headers] of bodies) {
      const { status, message } = await readReply(await gateway.post('/mcp', body, validKey, headers));
      outcomes.push([status, (message?.['error'] as JsonObject | undefined)?.['code']]);
    }
    expect(outcomes).toEqual([
      [200, undefined],
      [400, -32_600],
      [400, -32_600],
      [400, -32_600],
      [400, -32_700],
      [406, -32_000],
      [415, -32_000],
      [413, -32_000],
      [202, undefined],
    ]);
    expect(gateway.logs).toEqual([]);
  });
});
