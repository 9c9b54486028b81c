import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EgressClient } from '../egress/index.js';
import { everythingServer, startEverythingServer, type EverythingServer } from '../test-support/everything-server.js';
import { loopback } from '../test-support/provider-request.js';
import { listMcpTools, McpListError, type ListMcpToolsOptions } from './list-mcp-tools.js';

/** Has a tool a page, and always another page. */
const endless = `
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  if (method === 'initialize') {
    answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } });
  }
  if (method === 'tools/list') answer({ tools: [{ name: 't', inputSchema: { type: 'object' } }], nextCursor: 'next' });
});`;

let server: EverythingServer;
let egress: EgressClient;
const commands = {
  everything: { command: process.execPath, args: [everythingServer, 'stdio'] },
  endless: { command: process.execPath, args: ['-e', endless] },
};

beforeAll(async () => {
  server = await startEverythingServer();
  egress = new EgressClient(loopback);
}, 60_000);
afterAll(async () => {
  await egress.destroy();
  await server.stop();
});

const options = (over: Partial<ListMcpToolsOptions> = {}): ListMcpToolsOptions => ({
  egress,
  commands,
  deadlineMs: 50_000,
  ...over,
});

describe('the tools of server-everything', () => {
  it('are the same over both transports, with their schemas', async () => {
    const overHttp = await listMcpTools({ transport: 'streamable_http', url: server.url }, options());
    const overStdio = await listMcpTools({ transport: 'stdio', command: 'everything' }, options());
    expect(overHttp).toEqual(overStdio);
    expect(overHttp).toContainEqual(
      expect.objectContaining({
        name: 'get-sum',
        description: expect.any(String),
        inputSchema: expect.objectContaining({ type: 'object', required: ['a', 'b'] }),
      }),
    );
  }, 60_000);
});

describe('a list', () => {
  it('longer than allowed, or without end, is refused', async () => {
    const at = { transport: 'stdio', command: 'endless' } as const;
    await expect(listMcpTools(at, options({ maxTools: 5 }))).rejects.toThrow('more than 5 tools');
    await expect(listMcpTools(at, options({ maxTools: 500 }))).rejects.toThrow(McpListError);
  }, 60_000);

  it('of a command that is not configured, or an address that is not allowed, is refused', async () => {
    for (const command of ['unknown', 'constructor']) {
      await expect(listMcpTools({ transport: 'stdio', command }, options())).rejects.toThrow('MCP_STDIO_COMMANDS');
    }
    const closed = new EgressClient({});
    const inner = listMcpTools(
      { transport: 'streamable_http', url: 'https://127.0.0.1/mcp' },
      options({ egress: closed }),
    );
    await expect(inner).rejects.toThrow('not one that this deployment may connect to');
    await closed.destroy();
  });
});
