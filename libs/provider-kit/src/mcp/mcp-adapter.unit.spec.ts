import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpBinding } from '@capability-router/contracts';
import { ProviderChannels } from '../channels/provider-channels.js';
import { Authorizer } from '../credentials/authorizer.js';
import { noCredentials } from '../credentials/credential-source.js';
import type { ProviderAnswer, ProviderRequest } from '../provider-adapter.js';
import { everythingServer, startEverythingServer, type EverythingServer } from '../test-support/everything-server.js';
import { provider, requestOf } from '../test-support/provider-request.js';
import { McpAdapter } from './mcp-adapter.js';

let server: EverythingServer;
let channels: ProviderChannels;
let adapter: McpAdapter;
const reports: string[] = [];

/** Shakes hands, then does to every call what its name says. */
const misbehaving = `
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  if (method === 'initialize') {
    answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
  }
  if (method !== 'tools/call') return;
  if (params.name === 'die') process.exit(1);
  if (params.name === 'stay') { process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); }
  if (params.name === 'flood') setInterval(() => process.stdout.write('x'.repeat(1 << 20)), 1);
  if (params.name === 'garbage') process.stdout.write('no JSON\\n');
  if (params.name === 'pid') answer({ content: [{ type: 'text', text: String(process.pid) }] });
  if (params.name === 'slow') setTimeout(() => answer({ content: [] }), 100);
});`;

const make = (): void => {
  channels = new ProviderChannels({ maxBodyBytes: 1_048_576 });
  adapter = new McpAdapter({
    channels,
    authorizer: new Authorizer(noCredentials, () => undefined),
    stdioCommands: {
      everything: { command: process.execPath, args: [everythingServer, 'stdio'], env: { VISIBLE: 'yes' } },
      misbehaving: { command: process.execPath, args: ['-e', misbehaving] },
      missing: { command: '/no/such/file' },
    },
    maxStdioProcesses: 1,
    maxResultBytes: 1_048_576,
    report: (_toolId, error) => void reports.push(String(error)),
  });
};
const unmake = async (): Promise<void> => {
  await adapter.close();
  await channels.close();
};

beforeAll(async () => {
  process.env['SECRET_OF_THE_SERVICE'] = 'sesame';
  server = await startEverythingServer();
  make();
}, 60_000);
afterEach(() => {
  reports.length = 0;
});
afterAll(async () => {
  delete process.env['SECRET_OF_THE_SERVICE'];
  await unmake();
  await server.stop();
}, 60_000);

type Server = McpBinding['server'];

const call = (
  at: Server,
  tool: string,
  parameters: ProviderRequest['parameters'] = {},
  over: Partial<Omit<ProviderRequest, 'binding'>> = {},
): Promise<ProviderAnswer> =>
  adapter.call(
    requestOf({ kind: 'mcp', server: at, tool, auth: { kind: 'none' } }, { parameters, deadlineMs: 50_000, ...over }),
  );

const overHttp = (): Server => ({ transport: 'streamable_http', url: server.url });
const overStdio = (command = 'everything'): Server => ({ transport: 'stdio', command });

describe.each<[string, () => Server]>([
  ['streamable HTTP', overHttp],
  ['stdio', () => overStdio()],
])('a tool of server-everything over %s', (_name, at) => {
  it('answers its text', async () => {
    expect(await call(at(), 'echo', { message: 'hello' })).toMatchObject({ kind: 'answered', data: 'Echo: hello' });
  }, 60_000);

  it('answers its structured content where it has one', async () => {
    const answer = await call(at(), 'get-structured-content', { location: 'New York' });
    expect(answer).toMatchObject({
      kind: 'answered',
      data: { temperature: expect.any(Number), conditions: expect.any(String), humidity: expect.any(Number) },
      json: expect.any(String),
    });
  });

  it('answers a list of blocks where it has several', async () => {
    expect(await call(at(), 'get-tiny-image')).toMatchObject({
      kind: 'answered',
      data: [
        expect.any(String),
        { type: 'image', mimeType: 'image/png', data: expect.any(String) },
        expect.any(String),
      ],
    });
  });

  it('that gets wrong parameters, or does not exist, is the provider’s error, in its words', async () => {
    expect(await call(at(), 'get-sum', { a: 'one' })).toMatchObject({
      kind: 'failed',
      fault: 'provider_error',
      message: expect.stringMatching(/It says: ".*expected number/i),
    });
    expect(await call(at(), 'no-such-tool')).toMatchObject({
      fault: 'provider_error',
      message: expect.stringContaining('no-such-tool'),
    });
    expect(reports).toEqual([]);
  });

  it('that takes too long is a timeout, and the next call is answered', async () => {
    const slow = call(at(), 'trigger-long-running-operation', { duration: 30, steps: 1 }, { deadlineMs: 300 });
    expect(await slow).toMatchObject({ kind: 'failed', fault: 'timeout' });
    expect(await call(at(), 'get-sum', { a: 2, b: 3 })).toMatchObject({ data: expect.stringContaining('5') });
  }, 60_000);

  it('is called many times at once', async () => {
    const sums = await Promise.all([1, 2, 3, 4, 5].map((a) => call(at(), 'get-sum', { a, b: 100 })));
    expect(sums.map((answer) => answer.kind === 'answered' && answer.data)).toEqual(
      [1, 2, 3, 4, 5].map((a) => expect.stringContaining(String(a + 100))),
    );
  }, 60_000);
});

describe('over streamable HTTP', () => {
  it('a session serves one call after the other, and a new one is made when the server forgets it', async () => {
    await call(overHttp(), 'echo', { message: '1' });
    const before = server.sessions();
    await call(overHttp(), 'echo', { message: '2' });
    await call(overHttp(), 'echo', { message: '3' });
    expect(server.sessions()).toBe(before);
    const { port } = server;
    await server.stop();
    server = await startEverythingServer(port);
    expect(await call(overHttp(), 'echo', { message: '4' })).toMatchObject({ data: 'Echo: 4' });
    expect(server.sessions()).toBe(1);
  }, 60_000);

  it('the egress guard holds', async () => {
    const closed = { provider: provider('closed', { allowHttp: true }) };
    expect(await call(overHttp(), 'echo', { message: 'x' }, closed)).toMatchObject({ fault: 'execution_failed' });
    const https = { provider: provider('https', {}) };
    expect(await call(overHttp(), 'echo', { message: 'x' }, https)).toMatchObject({ fault: 'execution_failed' });
    expect(reports.join()).toContain('EgressRefusedError');
  });
});

describe('over stdio', () => {
  it('a process sees what its command gives it, and no secret of the service', async () => {
    const answer = await call(overStdio(), 'get-env');
    expect(answer).toMatchObject({ kind: 'answered', data: { VISIBLE: 'yes', PATH: expect.any(String) } });
    expect(JSON.stringify(answer)).not.toContain('sesame');
  });

  it('a process serves one call after the other, and no more run than are allowed', async () => {
    const pids = await Promise.all([1, 2, 3].map(() => call(overStdio('misbehaving'), 'pid')));
    expect(new Set(pids.map((answer) => answer.kind === 'answered' && answer.data)).size).toBe(1);
    expect(adapter.idleProcesses).toBeLessThanOrEqual(2);
  });

  it.each([
    ['dies', 'die', { fault: 'no_response' }],
    ['sends a line without end', 'flood', { fault: 'provider_error', message: expect.stringContaining('too large') }],
    ['answers garbage', 'garbage', { fault: 'provider_error' }],
    ['answers nothing', 'nothing', { fault: 'timeout' }],
  ])('a process that %s ends its own call, and the next call gets another', async (_name, tool, expected) => {
    const deadlineMs = tool === 'nothing' ? 1_000 : 50_000;
    expect(await call(overStdio('misbehaving'), tool, {}, { deadlineMs })).toMatchObject({
      kind: 'failed',
      ...expected,
    });
    expect(await call(overStdio('misbehaving'), 'pid')).toMatchObject({ kind: 'answered' });
  });

  it('a process that does not want to end keeps its turn until it is gone', async () => {
    const first = await call(overStdio('misbehaving'), 'pid');
    expect(await call(overStdio('misbehaving'), 'stay', {}, { deadlineMs: 500 })).toMatchObject({ fault: 'timeout' });
    expect(await call(overStdio('misbehaving'), 'pid')).toMatchObject({ kind: 'answered' });
    const pid = first.kind === 'answered' ? Number(first.data) : 0;
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }, 60_000);

  it('an empty result is null', async () => {
    expect(await call(overStdio('misbehaving'), 'slow')).toMatchObject({ kind: 'answered', data: null });
  });

  it('a command that the operator did not name is not run, whatever it looks like', async () => {
    for (const command of ['unknown', process.execPath, '__proto__', 'constructor']) {
      expect(await call(overStdio(command), 'x')).toMatchObject({ fault: 'unavailable' });
    }
    expect(reports.join()).toContain('MCP_STDIO_COMMANDS');
  });

  it('a command whose file does not exist is the operator’s to mend', async () => {
    expect(await call(overStdio('missing'), 'x')).toMatchObject({ fault: 'execution_failed' });
    expect(reports.join()).toContain('ENOENT');
  });

  it('the processes end with the adapter', async () => {
    const answer = await call(overStdio('misbehaving'), 'pid');
    const pid = answer.kind === 'answered' ? Number(answer.data) : 0;
    await unmake();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    make();
  }, 60_000);
});
