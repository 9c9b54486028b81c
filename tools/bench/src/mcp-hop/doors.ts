import type { LoadJob } from '../load/load-job.js';

/** The same is asked of each door. */
export const requests = {
  discover: { path: '/search', body: { query: 'evaluate a math expression' } },
  call: {
    path: '/tools/execute',
    body: {
      tool_id: 'formula.expression.evaluate.v1',
      parameters: { expression: 'sqrt(a^2 + b^2)', variables: { a: 3, b: 4 } },
    },
  },
} as const;
export type ToolName = keyof typeof requests;

export const doors = ['REST', 'MCP 2025-11-25', 'MCP 2026-07-28'] as const;
export type Door = (typeof doors)[number];

const accept = 'application/json, text/event-stream';
const newest = '2026-07-28';

const message = (name: ToolName, meta?: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: requests[name].body, ...(meta === undefined ? {} : { _meta: meta }) },
  });

/** The same request by each door. */
export const requestOf = (name: ToolName): Readonly<Record<Door, Pick<LoadJob, 'path' | 'body' | 'moreHeaders'>>> => ({
  REST: { path: `/api/v1${requests[name].path}`, body: JSON.stringify(requests[name].body) },
  'MCP 2025-11-25': {
    path: '/mcp',
    body: message(name),
    moreHeaders: { accept, 'mcp-protocol-version': '2025-11-25' },
  },
  'MCP 2026-07-28': {
    path: '/mcp',
    body: message(name, {
      'io.modelcontextprotocol/protocolVersion': newest,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }),
    moreHeaders: { accept, 'mcp-protocol-version': newest, 'mcp-method': 'tools/call', 'mcp-name': name },
  },
});
