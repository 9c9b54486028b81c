import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listen } from './listen.js';

/** A real MCP server over streamable HTTP with one tool, `measure-depth`. */
export interface McpTestServer {
  readonly url: string;
  /** The parameter that its tool has now. */
  parameter: string;
  close(): Promise<void>;
}

export async function startMcpServer(subject: string): Promise<McpTestServer> {
  const http = createServer((request, response) => {
    // Stateless: a server and a transport for each request.
    const server = new Server({ name: 'depths', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [
        {
          name: 'measure-depth',
          description: `Measures how deep the water of ${subject} is at a place.`,
          inputSchema: {
            type: 'object',
            properties: { [api.parameter]: { type: 'string' } },
            required: [api.parameter],
          },
        },
      ],
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
      content: [{ type: 'text', text: JSON.stringify({ depth_m: 12, asked: params.arguments }) }],
    }));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => void server.close());
    void server
      .connect(transport as Parameters<typeof server.connect>[0])
      .then(() => transport.handleRequest(request, response));
  });
  await listen(http);
  const api: McpTestServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    parameter: 'place',
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return api;
}
