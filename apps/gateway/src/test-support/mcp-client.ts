import type { JsonObject } from '@capability-router/kernel';
import { validKey, type RunningGateway } from './running-gateway.js';

/** The revisions that the endpoint speaks. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export interface McpReply {
  readonly status: number;
  readonly headers: Headers;
  /** Notices that came before the answer. */
  readonly notices: readonly JsonObject[];
  /** The answer; undefined where there is none. */
  readonly message: JsonObject | undefined;
}

/** A message in the form of its revision, sent as it stands, so that a test sees each byte of the protocol. */
export async function sendMcp(
  gateway: RunningGateway,
  revision: Revision,
  method: string,
  params: JsonObject = {},
  { key = validKey, headers = {} }: { readonly key?: string; readonly headers?: Record<string, string> } = {},
): Promise<McpReply> {
  const { name, _meta: meta } = params as { readonly name?: string; readonly _meta?: JsonObject };
  const isModern = revision === '2026-07-28';
  const body = {
    jsonrpc: '2.0',
    id: 7,
    method,
    params: isModern ? { ...params, _meta: { ...envelope, ...meta } } : params,
  };
  const modern: Record<string, string> = isModern
    ? { 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': name }) }
    : {};
  return readReply(
    await gateway.post('/mcp', body, key, {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...modern,
      ...headers,
    }),
  );
}

export async function readReply(response: Response): Promise<McpReply> {
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const messages = isStream
    ? [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as JsonObject)
    : text === ''
      ? []
      : [JSON.parse(text) as JsonObject];
  return {
    status: response.status,
    headers: response.headers,
    notices: messages.filter((message) => 'method' in message),
    message: messages.find((message) => !('method' in message)),
  };
}

export const envelope: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The params of a `tools/call`. */
export const toolCall = (name: string, given: JsonObject = {}, meta?: JsonObject): JsonObject => ({
  name,
  arguments: given,
  ...(meta === undefined ? {} : { _meta: meta }),
});

export const resultOf = ({ message }: McpReply): JsonObject => message?.['result'] as JsonObject;
export const errorOf = ({ message }: McpReply): JsonObject => message?.['error'] as JsonObject;
