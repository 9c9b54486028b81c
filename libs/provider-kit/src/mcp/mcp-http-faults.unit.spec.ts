import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { ProviderAuth } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { ProviderChannels } from '../channels/provider-channels.js';
import { Authorizer } from '../credentials/authorizer.js';
import { credentialsInMemory } from '../credentials/credential-source.js';
import type { ProviderAnswer } from '../provider-adapter.js';
import { provider, requestOf } from '../test-support/provider-request.js';
import { sendJson, startStub, type StubServer } from '../test-support/stub-server.js';
import { McpAdapter } from './mcp-adapter.js';

type Message = { id?: number; method: string; params: JsonObject };
type Act = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

let server: StubServer;
let channels: ProviderChannels;
let adapter: McpAdapter;
let onCall: Act = () => undefined;
let hangsInHandshake = false;
let streamsHandshake = false;
/** Methods that came in since the test began. */
let methods: string[] = [];

beforeAll(async () => {
  server = await startStub((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
      return;
    }
    void (json(request) as Promise<Message>).then((message) => {
      methods.push(message.method);
      if (message.method === 'tools/call') onCall(message, response, request);
      else if (message.method === 'initialize') initialize(message, response);
      else if (!hangsInHandshake) response.writeHead(202).end();
    });
  });
  channels = new ProviderChannels({ maxBodyBytes: 1_048_576 });
  adapter = new McpAdapter({
    channels,
    authorizer: new Authorizer(
      credentialsInMemory({ demo: { fields: { token: 'sesame-token' }, version: '1' } }),
      () => undefined,
    ),
    maxResultBytes: 1_048_576,
    report: () => undefined,
  });
});
beforeEach(() => {
  methods = [];
});
afterAll(async () => {
  await adapter.close();
  await channels.close();
  await server.close();
});

function initialize({ id, params }: Message, response: ServerResponse): void {
  const result = {
    protocolVersion: params['protocolVersion'],
    capabilities: { tools: {} },
    serverInfo: { name: 'stub', version: '1' },
  };
  response.setHeader('mcp-session-id', `session-${methods.length}`);
  const answer = { jsonrpc: '2.0', id, result };
  if (streamsHandshake) stream(response).end(`data: ${JSON.stringify(answer)}\n\n`);
  else sendJson(response, answer);
}

const call = (
  over: { deadlineMs?: number; auth?: ProviderAuth; providerId?: string } = {},
): Promise<ProviderAnswer> => {
  const { auth = { kind: 'none' }, deadlineMs = 30_000, providerId = 'demo' } = over;
  const at = { transport: 'streamable_http' as const, url: `${server.origin}/mcp` };
  return adapter.call(
    requestOf({ kind: 'mcp', server: at, tool: 'act', auth }, { deadlineMs, provider: provider(providerId) }),
  );
};

const result = (id: number | undefined, text: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

const cases: Record<string, [object, Act, { deadlineMs: number }?]> = {
  'never answers': [{ fault: 'timeout' }, () => undefined, { deadlineMs: 200 }],
  'streams nothing': [
    { fault: 'timeout' },
    (_message, response) => stream(response).write(': hello\n\n'),
    { deadlineMs: 200 },
  ],
  'ends its stream without the answer': [
    { fault: 'no_response' },
    (_message, response) => stream(response).end(': bye\n\n'),
  ],
  'breaks its stream off': [
    { fault: 'no_response' },
    (_message, response) => {
      stream(response).write(': hello\n\n');
      setTimeout(() => response.destroy(), 20);
    },
  ],
  'streams without end': [
    { fault: 'provider_error', message: expect.stringContaining('too large') },
    (_message, response) => {
      stream(response);
      const send = (): void => {
        while (response.write(`data: ${'x'.repeat(65_536)}`));
        response.once('drain', send);
      };
      send();
    },
  ],
  'streams garbage': [{ fault: 'provider_error' }, (_message, response) => stream(response).end('data: no JSON\n\n')],
  'answers broken JSON': [
    { fault: 'provider_error' },
    (_message, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc"'),
  ],
  'answers no JSON-RPC': [{ fault: 'provider_error' }, (_message, response) => sendJson(response, { hello: 'world' })],
  'answers a page': [
    { fault: 'provider_error' },
    (_message, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi</p>'),
  ],
  redirects: [
    { fault: 'http_error', statusCode: 307 },
    (_message, response) => response.writeHead(307, { location: '/elsewhere' }).end(),
  ],
  'answers 401': [
    { fault: 'auth_or_permission', statusCode: 401 },
    (_message, response) => response.writeHead(401).end(),
  ],
  'answers 429': [{ fault: 'rate_limited', statusCode: 429 }, (_message, response) => response.writeHead(429).end()],
  'answers 500': [{ fault: 'http_error', statusCode: 500 }, (_message, response) => response.writeHead(500).end()],
  'answers a JSON-RPC error, with a code that the SDK uses itself': [
    { fault: 'provider_error', message: expect.stringContaining('out of cheese') },
    ({ id }, response) =>
      sendJson(response, { jsonrpc: '2.0', id, error: { code: -32_001, message: 'out of cheese' } }),
  ],
};

describe('an MCP server over HTTP that', () => {
  it.each(Object.entries(cases))(
    '%s is one fault, and the next call is answered',
    async (_name, [expected, act, over]) => {
      onCall = act;
      expect(await call(over)).toMatchObject({ kind: 'failed', ...expected });
      onCall = ({ id }, response) => stream(response).end(`data: ${result(id, 'ok')}\n\n`);
      expect(await call()).toMatchObject({ kind: 'answered', data: 'ok' });
    },
  );

  it('keeps its stream open after the answer does not keep the connection', async () => {
    const closed: Promise<void>[] = [];
    onCall = ({ id }, response) => {
      closed.push(new Promise((resolve) => response.once('close', resolve)));
      stream(response).write(`data: ${result(id, 'ok')}\n\n`);
    };
    expect(await call()).toMatchObject({ data: 'ok' });
    expect(await call()).toMatchObject({ data: 'ok' });
    // Else the test ends by its timeout.
    await Promise.all(closed);
  });

  it('streams the handshake, and has ended that stream, does not end the calls after it, however long they take', async () => {
    streamsHandshake = true;
    // Longer than the answer of a stream that has ended is waited for.
    onCall = ({ id }, response) =>
      void setTimeout(() => stream(response).end(`data: ${result(id, 'slow')}\n\n`), 1_500);
    // A provider of its own, so that no session is there yet.
    for (const turn of ['first', 'second']) {
      expect([turn, await call({ providerId: 'streaming' })]).toMatchObject([turn, { kind: 'answered', data: 'slow' }]);
    }
    streamsHandshake = false;
    expect(methods.filter((method) => method === 'initialize')).toHaveLength(1);
  });

  it('hangs in the handshake is a timeout', async () => {
    hangsInHandshake = true;
    // A provider of its own, so that no session is there yet.
    const answer = await call({ deadlineMs: 2_000, providerId: 'hanging' });
    hangsInHandshake = false;
    expect(answer).toMatchObject({ kind: 'failed', fault: 'timeout' });
    expect(methods).toEqual(['initialize', 'notifications/initialized']);
    expect(channels.inFlight).toBe(0);
  });

  it('forgets a session is asked for another, once', async () => {
    onCall = ({ id }, response) => sendJson(response, JSON.parse(result(id, 'ok')));
    await call();
    let calls = 0;
    onCall = ({ id }, response) => {
      calls += 1;
      if (calls === 1) response.writeHead(404).end();
      else sendJson(response, JSON.parse(result(id, 'again')));
    };
    methods = [];
    expect(await call()).toMatchObject({ data: 'again' });
    expect(methods).toEqual(['tools/call', 'initialize', 'notifications/initialized', 'tools/call']);
    onCall = (_message, response) => response.writeHead(404).end();
    expect(await call()).toMatchObject({ kind: 'failed', statusCode: 404 });
  });

  it('wants a credential gets it with every request, and does not get it back to the caller', async () => {
    const seen = new Set<string | undefined>();
    onCall = ({ id }, response, request) => {
      seen.add(request.headers.authorization);
      sendJson(response, JSON.parse(result(id, `you are ${request.headers.authorization}`)));
    };
    expect(await call({ auth: { kind: 'bearer' } })).toMatchObject({ data: 'you are Bearer [redacted]' });
    expect([...seen]).toEqual(['Bearer sesame-token']);
    const before = methods.length;
    expect(await call({ auth: { kind: 'basic' } })).toMatchObject({ fault: 'signin_required' });
    expect(methods.length).toBe(before);
  });
});
