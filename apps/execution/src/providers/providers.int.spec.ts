import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ToolContract } from '@capability-router/contracts';
import { newExecutionId, systemClock, type ExecutionId, type JsonObject } from '@capability-router/kernel';
import { readStream } from '@capability-router/event-store';
import { startExecution, type RunningExecution } from '../test-support/running-execution.js';
import { toolContract } from '../test-support/tool-contract.js';

/** A weather service as it could stand on the internet; here on the loopback, which its provider definition opens. */
let weather: Server;
let origin = '';
const requests: IncomingMessage[] = [];
let listener: RequestListener = () => undefined;
let execution: RunningExecution;

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const text = { en: 'A provider of a test' };
const parameters = { city: 'Bern' };

function tool(name: string, over: Partial<ToolContract> = {}, providerId = 'weather'): ToolContract {
  return toolContract({
    toolId: `${providerId}.${name}.get.v1`,
    providerId,
    provider: {
      providerId,
      name: text,
      description: text,
      egress: { allowHttp: true, allowNetworks: ['127.0.0.1/32'] },
    },
    ...over,
  });
}

const http = (path: string, over: object = {}): ToolContract['binding'] => ({
  kind: 'http',
  method: 'GET',
  url: `${origin}${path}`,
  placements: {},
  auth: { kind: 'none' },
  ...over,
});

const tools = (): ToolContract[] => [
  tool('now', { binding: http('/v1/{city}/now', { placements: { city: { in: 'path' } }, resultPath: '$.now' }) }),
  tool('report', { binding: http('/v1/reports', { method: 'POST' }) }),
  tool('hasty', { binding: http('/v1/hasty'), timeoutMs: 1_500 }),
  tool('keyed', { binding: http('/v1/keyed', { auth: { kind: 'bearer' } }) }),
  tool(
    'inner',
    {
      binding: http('/v1/inner'),
      provider: { providerId: 'closed', name: text, description: text, egress: { allowHttp: true } },
    },
    'closed',
  ),
  tool('flaky', { binding: http('/v1/flaky', { method: 'POST' }) }, 'flaky'),
  tool('echo', {
    binding: {
      kind: 'mcp',
      server: { transport: 'stdio', command: 'everything' },
      tool: 'echo',
      auth: { kind: 'none' },
    },
    parametersSchema: { type: 'object', additionalProperties: false, properties: { message: { type: 'string' } } },
  }),
];

beforeAll(async () => {
  weather = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  await new Promise<void>((resolve) => weather.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(weather.address() as AddressInfo).port}`;
  execution = await startExecution(tools(), undefined, {
    // A breaker that opened stays open while it is looked at.
    PROVIDER_BREAKER_PAUSE_MS: '600000',
    MCP_STDIO_COMMANDS: JSON.stringify({ everything: { command: process.execPath, args: [everything, 'stdio'] } }),
  });
}, 60_000);
afterAll(async () => {
  await execution.stop();
  await new Promise((resolve) => {
    weather.close(resolve);
    weather.closeAllConnections();
  });
});
beforeEach(() => {
  requests.length = 0;
  execution.billing.available = 10_000_000n;
});

const typesOf = async (executionId: ExecutionId): Promise<string[]> =>
  (await readStream(execution.database.pool, executionId)).map((event) => event.type);

async function call(toolId: string, input: JsonObject = parameters) {
  const executionId = newExecutionId(systemClock.nowMs());
  const { status, body } = await execution.call({ tool_id: toolId, parameters: input }, { executionId });
  return { status, body, executionId, types: await typesOf(executionId) };
}

const notCharged = { success: false, cost: 0 };

describe('a Call of an HTTP tool', () => {
  it('reaches the provider once, held before, billed after, its end on record', async () => {
    let held: unknown;
    listener = (_request, response) => {
      held = execution.billing.holds.at(-1);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"now":{"degrees":21},"noise":true}');
    };
    const { status, body, types, executionId } = await call('weather.now.get.v1', { city: 'La Chaux/de Fonds' });
    expect(held).toMatchObject({ executionId, amountMicroCredits: '250000' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        success: true,
        result: { data: { degrees: 21 } },
        cost: 0.25,
        remaining_credits: 9.75,
        execution_outcome: { reason_code: 'result.valid' },
      },
    });
    expect(types).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
    expect(requests.map(({ url }) => url)).toEqual(['/v1/La%20Chaux%2Fde%20Fonds/now']);
  });

  it('sends a body, and an empty answer is not charged', async () => {
    let sent: unknown;
    listener = (request, response) => {
      void json(request).then((body) => {
        sent = body;
        response.end('[]');
      });
    };
    const { body } = await call('weather.report.get.v1');
    expect(sent).toEqual({ city: 'Bern' });
    expect(body).toMatchObject({ ...notCharged, execution_outcome: { reason_code: 'result.empty' } });
  });

  it.each<[string, string, RequestListener, object]>([
    [
      '429',
      'weather.report.get.v1',
      (_r, response) => response.writeHead(429).end(),
      { reason_code: 'provider.rate_limited' },
    ],
    [
      '403',
      'weather.report.get.v1',
      (_r, response) => response.writeHead(403).end(),
      { reason_code: 'provider.auth_or_permission' },
    ],
    [
      '500',
      'weather.report.get.v1',
      (_r, response) => response.writeHead(500).end(),
      { reason_code: 'provider.http_error', provider_status_code: 500 },
    ],
    ['garbage', 'weather.report.get.v1', (_r, response) => response.end('{'), { reason_code: 'provider.error' }],
    [
      'a closed door',
      'weather.report.get.v1',
      (request) => request.destroy(),
      { reason_code: 'transport.no_response' },
    ],
    ['silence', 'weather.hasty.get.v1', () => undefined, { reason_code: 'transport.timeout' }],
  ])('that gets %s ends with its reason and is not charged', async (_name, toolId, act, outcome) => {
    listener = act;
    const { status, body, types } = await call(toolId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...notCharged, execution_outcome: outcome });
    expect(types).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
  });

  it('to an address that the operator did not open is not sent', async () => {
    const { body } = await call('closed.inner.get.v1');
    expect(body).toMatchObject({ ...notCharged, execution_outcome: { reason_code: 'transport.execution_failed' } });
    expect(JSON.stringify(body)).not.toContain('127.0.0.1');
    expect(requests).toEqual([]);
  });

  it('whose provider wants credentials that are not there is refused before it is sent', async () => {
    const { status, body, types } = await call('weather.keyed.get.v1');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...notCharged,
      execution_outcome: { outcome: 'refused', reason_code: 'oauth_signin_required' },
    });
    expect(types).toEqual(['ExecutionRefused']);
    expect(requests).toEqual([]);
  });

  it('with a value that has no place in the path is 422, naming the field, and is not sent', async () => {
    const { status, body, types } = await call('weather.now.get.v1', { city: '..' });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      success: false,
      details: [{ type: 'value_error', loc: ['body', 'parameters'] }],
      execution_outcome: { reason_code: 'validation_error' },
    });
    expect(types).toEqual(['ExecutionStarted', 'ExecutionRefused']);
    expect(requests).toEqual([]);
  });

  it('of a provider that keeps failing is refused as unavailable, not charged, and not sent', async () => {
    listener = (_request, response) => response.writeHead(503).end();
    const reasonOf = (body: JsonObject): unknown => (body['execution_outcome'] as JsonObject)['reason_code'];
    let last = await call('flaky.flaky.get.v1');
    for (let tries = 0; tries < 50 && reasonOf(last.body) === 'provider.http_error'; tries += 1) {
      last = await call('flaky.flaky.get.v1');
    }
    expect(last.status).toBe(200);
    expect(last.body).toMatchObject({
      ...notCharged,
      execution_outcome: { outcome: 'refused', reason_code: 'tool_unavailable' },
    });
    expect(last.types).toEqual(['ExecutionStarted', 'ExecutionRefused']);
    const sent = requests.length;
    await call('flaky.flaky.get.v1');
    expect(requests.length).toBe(sent);
    const metrics = await execution.metrics.metrics();
    expect(metrics).toContain('provider_breaker_state{provider_id="flaky"} 2');
    const operator = { ...execution.account, scopes: ['admin'] };
    const { body: breakers } = await execution.read('/admin/v1/provider-breakers', operator);
    expect(breakers['data']).toEqual({
      replica_id: expect.any(String),
      items: [{ provider_id: 'flaky', breaker: 'open' }],
    });
    expect((await execution.read('/admin/v1/provider-breakers')).status).toBe(403);
    expect(metrics).toMatch(/provider_calls_total\{kind="http",result="http_error"\} \d+/);
    expect(metrics).toContain('executions_total{outcome="refused",reason="tool_unavailable"} 2');
    expect(metrics).toMatch(/provider_call_duration_seconds_count\{provider_id="flaky"\} \d+/);
  }, 60_000);
});

describe('a Call of an MCP tool', () => {
  it('is answered by a server that runs as a process of the operator’s', async () => {
    const { body, types } = await call('weather.echo.get.v1', { message: 'hello' });
    expect(body).toMatchObject({ success: true, result: { data: 'Echo: hello' }, cost: 0.25 });
    expect(types).toEqual(['ExecutionStarted', 'ExecutionCompleted']);
  }, 60_000);
});
