import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, newAccount, newKey, type TestAccount } from './support/accounts.js';
import { listCharges, listUsage, settledUsageOf } from './support/audit.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { execute } from './support/execute.js';
import { send } from './support/http.js';
import { asArray, asObject, asString } from './support/json.js';
import { listen } from './support/listen.js';
import { connectMcp, revisions } from './support/mcp.js';
import { largeCall, paidCall } from './support/tools.js';

/** Letters only, so that nothing else has it. */
const provider = `zm${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;
const slowTool = `${provider}.things.get.v1`;
/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;
/** Milliseconds that the provider takes: longer than until the first notice. */
const SLOW_MS = 1_400;
const KEY_MEMBER = 'capability-router/idempotency-key';

let server: Server;
/** Ids that the provider was asked for. */
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push((request.url ?? '').split('/').at(-1) ?? '');
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"size":3}'), SLOW_MS);
  });
  await listen(server);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const reply = await send('PUT', `/admin/v1/providers/${provider}`, {
    key: adminKey,
    body: {
      provider_id: provider,
      name: { en: provider },
      description: { en: 'Things.' },
      egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
      tools: [
        {
          tool_id: slowTool,
          name: { en: 'get' },
          description: { en: 'A slow tool of the acceptance suite.' },
          parameters_schema: {
            type: 'object',
            additionalProperties: false,
            required: ['id'],
            properties: { id: { type: 'string', maxLength: 50 } },
          },
          examples: [{ parameters: { id: 'a' } }],
          price: { amount_credits: '0.5' },
          binding: { kind: 'http', method: 'GET', url: `${origin}/things/{id}`, placements: { id: { in: 'path' } } },
        },
      ],
    },
  });
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
  const { key } = await newAccount();
  await eventually(async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const known = await execute(key, { toolId: slowTool, parameters: {} });
      expect(known.json['details']).toEqual([expect.objectContaining({ type: 'missing' })]);
    }
  });
}, TIMEOUT_MS);

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

describe.each(revisions)('a client of the SDK in revision %s', (revision) => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await newAccount();
  });
  const connect = (key = account.key) => connectMcp(revision, key);

  it('finds a tool, reads it, checks the call, makes it, and reconciles it to the micro-credit', async () => {
    const { client, content } = await connect();
    expect(client.getServerVersion()).toMatchObject({ name: 'capability-router' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'discover',
        'inspect',
        'probe',
        'call',
        'query_capability',
        'usage_history',
        'credits_ledger',
      ]),
    );
    // From here on the client holds every result to the schema of its tool.
    const found = await content('discover', { query: 'public holidays of a country', limit: 5 });
    const searchId = asString(found['search_id']);
    const toolIds = asArray(found['results']).map((tool) => asString(asObject(tool)['tool_id']));
    expect(toolIds).toContain(paidCall.toolId);
    const read = await content('inspect', { tool_ids: [paidCall.toolId], search_id: searchId });
    expect(asObject(asArray(read['results'])[0])).toMatchObject({ tool_id: paidCall.toolId });
    const call = { tool_id: paidCall.toolId, parameters: paidCall.parameters };
    const probed = await content('probe', { ...call, checks: ['schema', 'quote'] });
    expect(probed).toMatchObject({ schema: { valid: true }, recovery: { next_action: 'execute' } });
    const price = asObject(probed['quote'])['estimate_credits'];
    const called = await content('call', { ...call, search_id: searchId, model: 'm' });
    expect(called).toMatchObject({ success: true, cost: price });

    const executionId = called['execution_id'];
    const row = await settledUsageOf(account.key, executionId);
    const usage = await content('usage_history', { execution_id: executionId });
    expect(usage['items']).toEqual([row]);
    expect(row).toMatchObject({ search_id: searchId, charge_outcome: 'charged', settled_amount_credits: price });
    const ledger = await content('credits_ledger', { direction: 'consume' });
    expect(ledger['items']).toEqual([
      expect.objectContaining({
        id: row['credits_ledger_entry_id'],
        execution_id: executionId,
        amount_credits: -Number(price),
      }),
    ]);
    // Searches are audited from the topic of registry, which may be read after that of execution.
    await eventually(async () => {
      const events = (await listUsage(account.key)).map((event) => event['event_type']);
      expect(events.sort()).toEqual(['search', 'search_by_ids', 'tool_execute']);
    });
    await client.close();
  });

  it('has a capability served, and is told why a call is refused', async () => {
    const { content, result } = await connect();
    const parameters = { from_latitude: 52.52, from_longitude: 13.405, to_latitude: 48.8566, to_longitude: 2.3522 };
    const served = await content('query_capability', { capability_id: 'geo.distance', parameters, max_credits: 1 });
    expect(served).toMatchObject({
      success: true,
      capability_id: 'geo.distance',
      routing: { chosen: expect.any(String) },
    });
    const refused = await result('call', { tool_id: paidCall.toolId, parameters: { country_code: 7 } });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { success: false, execution_id: expect.stringMatching(/^exec_/), details: expect.any(Array) },
    });
    const unpaid = await newAccount(0);
    const { result: poor } = await connect(unpaid.key);
    expect(await poor('call', { tool_id: paidCall.toolId, parameters: paidCall.parameters })).toMatchObject({
      isError: true,
      structuredContent: { code: 'insufficient_credits' },
    });
  });

  it('repeats a call without a second charge, and is linked to the whole of a result that was cut', async () => {
    const payer = await newAccount();
    const { result } = await connect(payer.key);
    const meta = { [KEY_MEMBER]: randomUUID() };
    const given = { tool_id: largeCall.toolId, parameters: largeCall.parameters, max_response_size: 100 };
    const first = await result('call', given, meta);
    const again = await result('call', given, meta);
    expect(asObject(again.structuredContent)['execution_id']).toBe(asObject(first.structuredContent)['execution_id']);
    expect([first, again].map(({ _meta: told }) => told?.['capability-router/idempotency-replayed'])).toEqual([
      undefined,
      true,
    ]);
    const link = first.content.find(({ type }) => type === 'resource_link');
    if (link?.type !== 'resource_link') throw new Error('there is no link');
    const whole = await fetch(link.uri);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining(link.mimeType ?? ''),
    ]);
    expect((await whole.text()).length).toBeGreaterThan(20_480);
    const other = await result('call', { ...given, max_response_size: 101 }, meta);
    expect(other).toMatchObject({ isError: true, _meta: { 'capability-router/http-status': 422 } });
    await settledUsageOf(payer.key, asObject(first.structuredContent)['execution_id']);
    expect(await listCharges(payer.key)).toHaveLength(1);
  });

  it('hears that a call goes on; one that it cancels is made and charged all the same', async () => {
    const payer = await newAccount();
    const { client } = await connect(payer.key);
    const told: number[] = [];
    const run = (
      id: string,
      options: { signal?: AbortSignal; onprogress?: (progress: { progress: number }) => void },
    ) => client.callTool({ name: 'call', arguments: { tool_id: slowTool, parameters: { id } } }, options);
    const gone = new AbortController();
    const [waited, cancelled] = [`w${revision}`, `c${revision}`];
    const both = Promise.allSettled([
      run(waited, { onprogress: ({ progress }) => told.push(progress) }),
      run(cancelled, { signal: gone.signal }),
    ]);
    await eventually(async () => expect(asked).toEqual(expect.arrayContaining([waited, cancelled])));
    gone.abort();
    const [first, second] = await both;
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected']);
    expect(told[0]).toBe(1);
    await eventually(async () => {
      const rows = await listUsage(payer.key);
      expect(rows.map((row) => [row['charge_outcome'], row['billing_snapshot_status']])).toEqual([
        ['charged', 'settled'],
        ['charged', 'settled'],
      ]);
    });
    expect(await listCharges(payer.key)).toHaveLength(2);
    expect(asked.filter((id) => id === cancelled)).toHaveLength(1);
  });

  it('calls by its own name a tool that the operator publishes', async () => {
    const { client, result } = await connect();
    const { tools } = await client.listTools();
    const published = tools.find(({ name }) => name === 'almanac_holiday_list_v1');
    expect(published).toMatchObject({
      description: expect.stringContaining('Price: '),
      inputSchema: { properties: { country_code: { type: 'string' } }, required: ['country_code'] },
    });
    const called = await result('almanac_holiday_list_v1', paidCall.parameters);
    expect(called).toMatchObject({
      isError: false,
      structuredContent: { success: true, result: { data: expect.anything() } },
    });
  });

  it('is refused without a key, without the scope, and from a page that nobody named', async () => {
    await expect(connect(`sk-${'0'.repeat(40)}`)).rejects.toThrow();
    const { key } = await newKey(account.accountId, ['read']);
    const { content, result } = await connect(key);
    expect(await content('credits_ledger', { limit: 1 })).toMatchObject({ page: 1 });
    await expect(result('discover', { query: 'q' })).rejects.toThrow('Insufficient scope: required "call"');
    await expect(connectMcp(revision, account.key, { origin: 'https://evil.example' })).rejects.toThrow();
  });
});

describe('the endpoint', () => {
  it('says where tokens are to be had, whose resource it is', async () => {
    const refused = await send('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
    expect(refused.status).toBe(401);
    const [, url = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    const { json } = await send('GET', new URL(url).pathname);
    expect(json).toMatchObject({ resource: `${new URL(url).origin}/mcp`, scopes_supported: expect.any(Array) });
    // The client of a deployment may ask for a token by this name.
    const client = await admin('POST', '/oauth-clients', {
      name: 'mcp',
      account_id: (await newAccount()).accountId,
      grant_types: ['client_credentials'],
      scopes: ['call'],
    });
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(client['client_id']),
      client_secret: String(client['client_secret']),
      resource: asString(json['resource']),
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const token = await send('POST', '/api/v1/oauth/token', { rawBody: form.toString(), headers });
    expect(token.status).toBe(200);
    const { content } = await connectMcp('2026-07-28', asString(token.json['access_token']));
    expect(await content('discover', { query: 'holidays', limit: 1 })).toMatchObject({ total: 1 });
  });
});
