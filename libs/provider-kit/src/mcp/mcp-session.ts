import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ListToolsResultSchema,
  type CallToolResult,
  type ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@capability-router/kernel';
import { DeadlineError } from '../egress/index.js';

const clientInfo = { name: 'capability-router', version: '1' };

/** A session's transport can tell this beyond what the SDK passes on. */
export interface SessionHooks {
  /** Gives what hears why the call under way cannot end well; the calls after it never hear of that. */
  faultOfCall: () => (error: unknown) => void;
}

/** Ends the session at the other side, where there is a way to; it may fail. */
export type EndSession = () => Promise<void>;

/** A connection to an MCP server, for one request at a time. */
export class McpSession {
  /** Nobody may use it any more. */
  closed = false;
  /** Calls that it has served. */
  calls = 0;
  private failCall: ((error: unknown) => void) | undefined;

  private constructor(
    private readonly client: Client,
    private readonly end: EndSession,
  ) {}

  /** Connects and shakes hands. Throws what the transport and the SDK throw. */
  static async open(
    transport: Transport,
    hooks: SessionHooks,
    end: EndSession,
    timeoutMs: number,
  ): Promise<McpSession> {
    const client = new Client(clientInfo, { capabilities: {} });
    const session = new McpSession(client, end);
    hooks.faultOfCall = () => session.failCall ?? (() => undefined);
    client.onclose = () => {
      session.closed = true;
    };
    client.onerror = (error) => {
      if (isUnreadable(error)) session.fail(error);
    };
    const failed = session.failure();
    // The SDK's own timeout bounds the first step of the handshake and not the second.
    const timer = setTimeout(() => session.fail(new DeadlineError('the handshake took too long')), timeoutMs);
    try {
      await Promise.race([client.connect(transport, { timeout: timeoutMs }), failed]);
    } catch (error) {
      void session.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    return session;
  }

  /** Throws `McpError` for an error answer, and what broke the session otherwise. */
  async callTool(
    name: string,
    parameters: JsonObject,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<CallToolResult> {
    this.calls += 1;
    const failed = this.failure();
    const request = { method: 'tools/call' as const, params: { name, arguments: parameters } };
    return Promise.race([
      this.client.request(request, CallToolResultSchema, {
        timeout: timeoutMs,
        ...(signal === undefined ? {} : { signal }),
      }),
      failed,
    ]);
  }

  /** One page of the server's tools. Throws as `callTool` does. */
  async listTools(cursor: string | undefined, timeoutMs: number): Promise<ListToolsResult> {
    const failed = this.failure();
    const params = cursor === undefined ? {} : { cursor };
    return Promise.race([
      this.client.request({ method: 'tools/list', params }, ListToolsResultSchema, { timeout: timeoutMs }),
      failed,
    ]);
  }

  async close(): Promise<void> {
    if (!this.closed) {
      this.closed = true;
      await Promise.resolve()
        .then(this.end)
        .catch(() => undefined);
    }
    await this.client.close().catch(() => undefined);
  }

  private failure(): Promise<never> {
    const failed = new Promise<never>((_resolve, reject) => {
      this.failCall = reject;
    });
    // Nobody waits for it any more once the call has ended.
    failed.catch(() => undefined);
    return failed;
  }

  private fail(error: unknown): void {
    this.failCall?.(error);
  }
}

/** A message that is not JSON-RPC, or one that does not end: the answer will not come. */
const isUnreadable = (error: Error): boolean => isGarbage(error) || isOverflow(error);

const garbageNames = new Set(['SyntaxError', 'ZodError', '$ZodError']);

/** A message that is no JSON, or no JSON-RPC. */
export const isGarbage = (error: unknown): boolean => garbageNames.has(memberOf(error, 'name'));

/** The SDK's own bound on a line of a stdio server. */
export const isOverflow = (error: unknown): boolean => memberOf(error, 'message').startsWith('ReadBuffer exceeded');

function memberOf(error: unknown, member: 'name' | 'message'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value = (error as Readonly<Record<string, unknown>>)[member];
  return typeof value === 'string' ? value : '';
}
