import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { nextOrigin } from './environment.js';
import { asObject, type JsonObject } from './json.js';

/** The revisions of the protocol that clients of the official SDK speak with the endpoint. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export interface McpSession {
  readonly client: Client;
  /** The structured content of a result that is no error. */
  content(name: string, given?: JsonObject, meta?: JsonObject): Promise<JsonObject>;
  /** Any result. */
  result(name: string, given?: JsonObject, meta?: JsonObject): Promise<CallToolResult>;
}

/** A client of the official SDK whose requests go to every replica in turn. */
export async function connectMcp(
  revision: Revision,
  key: string,
  headers: Record<string, string> = {},
): Promise<McpSession> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', nextOrigin()), {
    requestInit: { headers: { ...headers, authorization: `Bearer ${key}` } },
    fetch: (input, init) => fetch(new URL(new URL(String(input)).pathname, nextOrigin()), init),
  });
  const client = new Client(
    { name: 'acceptance', version: '1' },
    { versionNegotiation: { mode: revision === '2026-07-28' ? { pin: revision } : 'legacy' } },
  );
  await client.connect(transport);
  const result = (name: string, given: JsonObject = {}, meta?: JsonObject): Promise<CallToolResult> =>
    client.callTool({ name, arguments: given, ...(meta === undefined ? {} : { _meta: meta }) });
  return {
    client,
    result,
    content: async (name, given, meta) => {
      const { isError, structuredContent, content } = await result(name, given, meta);
      if (isError === true) throw new Error(`${name} failed: ${JSON.stringify(content)}`);
      return asObject(structuredContent, name);
    },
  };
}
