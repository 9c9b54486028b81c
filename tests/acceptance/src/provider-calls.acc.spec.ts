import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newAccount, type TestAccount } from './support/accounts.js';
import { listCharges, settledUsageOf } from './support/audit.js';
import { adminKey } from './support/environment.js';
import { eventually } from './support/eventually.js';
import { startEverythingServer, type EverythingServer } from './support/everything-server.js';
import { execute } from './support/execute.js';
import { send, type Reply } from './support/http.js';
import type { JsonObject } from './support/json.js';
import { listen } from './support/listen.js';

/** Letters only, so that nothing else has it. */
const provider = `zq${randomBytes(6).toString('hex').replaceAll(/\d/g, 'k')}`;
/** Milliseconds: what is published has to reach every replica. */
const TIMEOUT_MS = 180_000;

let account: TestAccount;
let server: Server;
let mcpServer: EverythingServer;
const requests: string[] = [];
let listener: RequestListener = () => undefined;

const tool = (name: string, binding: JsonObject, parameter: string): JsonObject => ({
  tool_id: `${provider}.things.${name}.v1`,
  name: { en: name },
  description: { en: `Tool ${name} of a provider of the acceptance suite.` },
  parameters_schema: {
    type: 'object',
    additionalProperties: false,
    required: [parameter],
    properties: { [parameter]: { type: 'string', maxLength: 50 } },
  },
  examples: [{ parameters: { [parameter]: 'a-1' } }],
  price: { amount_credits: '0.5' },
  binding,
});

beforeAll(async () => {
  account = await newAccount();
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  await listen(server);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mcpServer = await startEverythingServer();
  const things = { kind: 'http', method: 'GET', url: `${origin}/things/{id}`, placements: { id: { in: 'path' } } };
  const reply = await send('PUT', `/admin/v1/providers/${provider}`, {
    key: adminKey,
    body: {
      provider_id: provider,
      name: { en: provider },
      description: { en: 'Things.' },
      egress: { allow_http: true, allow_networks: ['127.0.0.1/32'] },
      tools: [
        tool('get', { ...things, result_path: '$.thing' }, 'id'),
        tool('inner', { ...things, url: 'http://127.0.0.2:8080/things/{id}' }, 'id'),
        {
          ...tool('judged', things, 'id'),
          price: { amount_credits: '0.5', metering: { kind: 'result_rows', path: 'rows', max_units: 5 } },
          result: {
            empty_when: "$[?$.status == 'ZERO_RESULTS']",
            partial_when: "$[?$.status == 'PARTIAL']",
            schema: { type: 'object', required: ['status'] },
          },
        },
        tool('keyed', { ...things, auth: { kind: 'bearer' } }, 'id'),
        tool(
          'echo',
          {
            kind: 'mcp',
            server: { transport: 'streamable_http', url: mcpServer.url },
            tool: 'echo',
          },
          'message',
        ),
      ],
    },
  });
  expect({ status: reply.status, text: reply.text }).toMatchObject({ status: 200 });
  await Promise.all(['get', 'inner', 'judged', 'keyed', 'echo'].map(known));
}, TIMEOUT_MS);

afterAll(async () => {
  mcpServer.stop();
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});

beforeEach(() => {
  requests.length = 0;
});

/** Every replica knows the tool when it no longer says that there is none; without parameters nothing is called. */
function known(name: string): Promise<void> {
  return eventually(async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      const reply = await execute(account.key, { toolId: `${provider}.things.${name}.v1`, parameters: {} });
      expect(reply.json['details']).toEqual([expect.objectContaining({ type: 'missing' })]);
    }
  });
}

const callTool = (name: string, parameters: JsonObject): Promise<Reply> =>
  execute(account.key, { toolId: `${provider}.things.${name}.v1`, parameters });

describe('a tool that is an HTTP request', () => {
  it('is called once, answers its result, and is charged as the audit and the ledger say', async () => {
    listener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"thing":{"size":3},"noise":1}');
    const reply = await callTool('get', { id: 'a/b c' });
    expect({ status: reply.status, body: reply.json }).toMatchObject({
      status: 200,
      body: { success: true, result: { data: { size: 3 } }, cost: 0.5 },
    });
    expect(requests).toEqual(['GET /things/a%2Fb%20c']);
    const usage = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(usage).toMatchObject({ charge_outcome: 'charged', actual_amount_credits: 0.5 });
    const charges = await listCharges(account.key);
    expect(charges.filter((entry) => entry['execution_id'] === reply.json['execution_id'])).toHaveLength(1);
  });

  it.each<[string, RequestListener, string]>([
    ['fails', (_request, response) => response.writeHead(500).end('{"message":"no"}'), 'provider.http_error'],
    [
      'limits calls',
      (_request, response) => response.writeHead(429, { 'retry-after': '60' }).end(),
      'provider.rate_limited',
    ],
    [
      'redirects inwards',
      (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
      'provider.http_error',
    ],
    ['answers broken JSON', (_request, response) => response.end('{"thing"'), 'provider.error'],
    ['closes the door', (request) => request.destroy(), 'transport.no_response'],
  ])('whose provider %s is not charged and says why', async (_name, act, reasonCode) => {
    listener = act;
    const reply = await callTool('get', { id: 'x' });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ success: false, cost: 0, execution_outcome: { reason_code: reasonCode } });
    const usage = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(usage).toMatchObject({ charge_outcome: 'failed_not_charged', reason_code: reasonCode });
  });

  it.each<[string, JsonObject, string, number]>([
    ['is whole', { status: 'OK', rows: [1, 2] }, 'result.valid', 1],
    ['is partial, by the rows that came', { status: 'PARTIAL', rows: [1] }, 'result.partial_success', 0.5],
    ['is empty, although it says much', { status: 'ZERO_RESULTS', rows: [1] }, 'result.empty', 0],
    ['is not what was declared', { rows: [1] }, 'provider.error', 0],
  ])('whose result %s is charged accordingly', async (_name, result, reasonCode, credits) => {
    listener = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    const reply = await callTool('judged', { id: 'x' });
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      success: credits > 0,
      cost: credits,
      execution_outcome: { reason_code: reasonCode },
    });
    const usage = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(usage).toMatchObject({
      reason_code: reasonCode,
      charge_outcome: credits > 0 ? 'charged' : 'failed_not_charged',
    });
    expect(usage['actual_amount_credits'] ?? 0).toBe(credits);
  });

  it('is not sent to an address that is not opened, without a credential, or with a value that leaves its path', async () => {
    const inner = await callTool('inner', { id: 'x' });
    expect(inner.json).toMatchObject({
      success: false,
      execution_outcome: { reason_code: 'transport.execution_failed' },
    });
    expect(inner.text).not.toContain('127.0.0.');
    const keyed = await callTool('keyed', { id: 'x' });
    expect(keyed.status).toBe(200);
    expect(keyed.json).toMatchObject({ success: false, execution_outcome: { reason_code: 'oauth_signin_required' } });
    const leaving = await callTool('get', { id: '..' });
    expect(leaving.status).toBe(422);
    expect(leaving.json).toMatchObject({ execution_outcome: { reason_code: 'validation_error' } });
    expect(requests).toEqual([]);
    for (const reply of [inner, keyed, leaving]) {
      const usage = await settledUsageOf(account.key, reply.json['execution_id']);
      expect(usage).toMatchObject({ charge_outcome: 'failed_not_charged' });
    }
  });
});

describe('a tool of an MCP server', () => {
  it('is called and charged', async () => {
    const reply = await callTool('echo', { message: 'hello' });
    expect(reply.json).toMatchObject({ success: true, result: { data: 'Echo: hello' }, cost: 0.5 });
    const usage = await settledUsageOf(account.key, reply.json['execution_id']);
    expect(usage).toMatchObject({ charge_outcome: 'charged' });
  });
});
