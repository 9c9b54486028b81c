import type { McpBinding } from '@capability-router/contracts';
import type { JsonObject } from '@capability-router/kernel';
import { Secrets } from '../credentials/secrets.js';
import { DeadlineError, UnreadableAnswerError, type EgressClient } from '../egress/index.js';
import type { McpSession } from './mcp-session.js';
import type { StdioCommands } from './stdio-commands.js';

/** A tool as its server describes it; untrusted. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /** The server says that calling it changes nothing. */
  readonly readOnly: boolean;
  /** The server says that calling it twice is as good as once. */
  readonly idempotent: boolean;
}

export interface ListMcpToolsOptions {
  readonly egress: EgressClient;
  readonly commands: StdioCommands;
  /** Milliseconds for everything. */
  readonly deadlineMs: number;
  /** Beyond it, the server is refused. Default 1,000. */
  readonly maxTools?: number;
  /** Bytes of one page. Default 8 MiB; of an HTTP server, the client's own bound. */
  readonly maxPageBytes?: number;
}

const DEFAULT_MAX_TOOLS = 1_000;
const DEFAULT_MAX_PAGE_BYTES = 8 * 1_024 * 1_024;
/** Pages of a list; a server may send empty ones for ever. */
const MAX_PAGES = 100;

/** A server's tools could not be listed; the message is fit for whoever asked. */
export class McpListError extends Error {
  override readonly name = 'McpListError';

  constructor(
    message: string,
    /** The same request may well succeed later. */
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Every tool of an MCP server, for an import. Throws `McpListError`. The SDK is loaded when it is needed. */
export async function listMcpTools(server: McpBinding['server'], options: ListMcpToolsOptions): Promise<McpTool[]> {
  const endsAt = performance.now() + options.deadlineMs;
  let session: McpSession | undefined;
  try {
    session = await open(server, options);
    return await allPages(session, endsAt, options.maxTools ?? DEFAULT_MAX_TOOLS);
  } catch (cause) {
    if (cause instanceof McpListError) throw cause;
    const { classifyMcp, isLate } = await import('./classify-mcp.js');
    const { message, retryable } = classifyMcp(cause, {
      late: isLate(endsAt, undefined),
      closed: session?.closed === true,
      report: () => undefined,
      redact: (text) => text,
    });
    throw new McpListError(message, retryable, { cause });
  } finally {
    await session?.close();
  }
}

async function open(server: McpBinding['server'], options: ListMcpToolsOptions): Promise<McpSession> {
  const { egress, commands, deadlineMs, maxPageBytes = DEFAULT_MAX_PAGE_BYTES } = options;
  if (server.transport === 'stdio') {
    const command = Object.hasOwn(commands, server.command) ? commands[server.command] : undefined;
    if (command === undefined) {
      throw new McpListError(`This deployment has no command "${server.command}" in MCP_STDIO_COMMANDS.`, false);
    }
    const { openStdioSession } = await import('./open-stdio-session.js');
    return openStdioSession(command, maxPageBytes, deadlineMs);
  }
  const anonymous = { headers: {}, query: [], secrets: new Secrets(), identity: '', rejected: () => false };
  const { openHttpSession } = await import('./open-http-session.js');
  return (await openHttpSession(server.url, egress, anonymous, deadlineMs)).session;
}

async function allPages(session: McpSession, endsAt: number, maxTools: number): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const remainingMs = endsAt - performance.now();
    if (remainingMs <= 0) throw new DeadlineError('the time for the list is up');
    const { tools: listed, nextCursor } = await session.listTools(cursor, remainingMs);
    for (const tool of listed) {
      tools.push({
        name: tool.name,
        ...(tool.title === undefined ? {} : { title: tool.title }),
        ...(tool.description === undefined ? {} : { description: tool.description }),
        inputSchema: tool.inputSchema as JsonObject,
        ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema as JsonObject }),
        readOnly: tool.annotations?.readOnlyHint === true,
        idempotent: tool.annotations?.idempotentHint === true,
      });
    }
    if (tools.length > maxTools) throw new McpListError(`The server has more than ${maxTools} tools.`, false);
    if (nextCursor === undefined) return tools;
    cursor = nextCursor;
  }
  throw new UnreadableAnswerError('too_large', `The list has more than ${MAX_PAGES} pages`);
}
