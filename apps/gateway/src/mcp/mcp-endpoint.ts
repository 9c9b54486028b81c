import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { isJsonObject, type Clock, type JsonValue } from '@capability-router/kernel';
import type { ServiceClients } from '@capability-router/service-kit';
import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Admission } from '../admission/admission.js';
import { forget } from '../requests/caller-gone.js';
import { mcpRoute } from './endpoint-route.js';
import { PublishedTools } from './published/published-tools.js';
import { RestCalls, type RestAnswer } from './rest-calls.js';
import { sendInvalidRequest, sendRefusal } from './rpc-refusal.js';
import { MAX_SHOWN_LENGTH, unknownArgument, type McpTool } from './tools/mcp-tool.js';
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from './tools/idempotency-key.js';
import { toToolResult } from './tools/to-tool-result.js';
import { ownTools } from './tools/own-tools.js';
import { waitFor } from './wait-for.js';
import { instructions, listTtlMs, serverInfo, supportedProtocolVersions } from './server-info.js';

/** Headers of an answer of the SDK that its caller gets. */
const passedHeaders = ['content-type', 'cache-control', 'x-accel-buffering', 'allow'] as const;
/** The SDK says so of a caller who hung up before there was an answer. */
const CLIENT_CLOSED_REQUEST = 499;

export interface McpEndpointParts {
  /** The listener, whose public routes the tools ask. */
  readonly server: FastifyInstance;
  readonly admission: Admission;
  readonly clients: Pick<ServiceClients, 'registry'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly publishedToolIds: readonly string[];
}

/**
 * Serves one message of the protocol for each HTTP request, and keeps nothing between two: whichever replica is asked can
 * answer. The SDK does what is of the protocol, in both of its revisions; each tool is a request to the interface of this
 * gateway, so that all that holds there (scopes, limits, budgets, audit) holds here.
 */
export class McpEndpoint {
  private readonly own: ReadonlyMap<string, McpTool> = new Map(ownTools.map((tool) => [tool.definition.name, tool]));
  private readonly published: PublishedTools;
  private readonly rest: RestCalls;

  constructor(private readonly parts: McpEndpointParts) {
    const { clients, clock, logger, publishedToolIds, server } = parts;
    this.published = new PublishedTools(clients.registry, { toolIds: publishedToolIds, clock, logger });
    this.rest = new RestCalls(server);
  }

  /** Answers a request of somebody who is known. Rejects when there is a bug. */
  async serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const message = messageIn(request.body);
    const tool = this.toolCalledBy(message);
    const counted = tool === undefined ? mcpRoute : tool.route;
    // A call of a tool is counted by the request that it becomes, unless that would be refused for its scope anyway.
    if (tool === undefined || !this.parts.admission.hasScope(tool.route, request)) {
      const refusal = await this.parts.admission.admit(counted, request, reply);
      if (refusal !== undefined) {
        sendRefusal(reply, refusal);
        return;
      }
    }
    if (!isJsonObject(message)) {
      sendInvalidRequest(reply, 'Send one JSON-RPC message in each request, as an object. Batches are not offered.');
      return;
    }
    const exchange: Exchange = { request, asked: undefined };
    const response = await this.answerOf(exchange, message, reply);
    if (tool !== undefined && !(await wasAsked(exchange))) {
      // Whatever refused it, the SDK or the tool: nothing has counted it yet.
      const refusal = await this.parts.admission.admit(mcpRoute, request, reply);
      if (refusal !== undefined) {
        await response.body?.cancel();
        sendRefusal(reply, refusal);
        return;
      }
    }
    if (response.status === CLIENT_CLOSED_REQUEST) {
      // The call goes on for whoever has hung up, and keeps its place among the requests under way until it has ended.
      await exchange.asked?.catch(() => undefined);
      void forget(reply);
      return;
    }
    await send(response, reply);
  }

  private toolCalledBy(message: JsonValue | undefined): McpTool | undefined {
    if (!isJsonObject(message)) return undefined;
    const { method, id, params } = message;
    if (method !== 'tools/call' || id === undefined || !isJsonObject(params)) return undefined;
    const { name, arguments: given } = params;
    if (typeof name !== 'string' || (given !== undefined && !isJsonObject(given))) return undefined;
    return this.toolNamed(name);
  }

  private toolNamed(name: string): McpTool | undefined {
    return this.own.get(name) ?? this.published.named(name);
  }

  private answerOf(exchange: Exchange, message: JsonValue, reply: FastifyReply): Promise<Response> {
    const gone = new AbortController();
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort();
    });
    const { logger } = this.parts;
    const { fetch } = createMcpHandler(() => this.serverFor(exchange), {
      onerror: (err) => logger.debug({ err, requestId: exchange.request.id }, 'a message of the protocol was refused'),
    });
    const headers = headersOf(exchange.request);
    const request = new Request('http://mcp.invalid/', { method: 'POST', headers, signal: gone.signal });
    return fetch(request, { parsedBody: message });
  }

  /** One for each request. */
  private serverFor(exchange: Exchange): Server {
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions,
      supportedProtocolVersions: [...supportedProtocolVersions],
      cacheHints: { 'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' } },
    });
    server.setRequestHandler('tools/list', ({ params }) => this.guard(exchange, () => this.list(params?.cursor)));
    server.setRequestHandler('tools/call', ({ params }, context) =>
      this.guard(exchange, () => this.call(exchange, params, context)),
    );
    return server;
  }

  private async list(cursor: string | undefined) {
    const page = await this.published.pageAfter(cursor);
    if (page === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor. List the tools from the start.');
    }
    const tools =
      cursor === undefined ? [...ownTools.map(({ definition }) => definition), ...page.tools] : [...page.tools];
    return { tools, ...(page.nextCursor === undefined ? {} : { nextCursor: page.nextCursor }) };
  }

  private async call(
    exchange: Exchange,
    {
      name,
      arguments: given = {},
    }: { readonly name: string; readonly arguments?: Record<string, unknown> | undefined },
    { mcpReq }: ServerContext,
  ): Promise<CallToolResult> {
    const tool = this.toolNamed(name);
    if (tool === undefined) {
      const shown = JSON.stringify(name.slice(0, MAX_SHOWN_LENGTH));
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${shown}. Ask tools/list for those that there are.`,
      );
    }
    const meta = mcpReq._meta;
    const key = idempotencyKeyOf(meta?.[IDEMPOTENCY_KEY]);
    if (!key.ok) return { isError: true, content: [{ type: 'text', text: key.error }] };
    const unknown = unknownArgument(tool, given);
    if (unknown !== undefined) return { isError: true, content: [{ type: 'text', text: unknown }] };
    const made = tool.toRequest(given, key.value);
    if (!made.ok) return { isError: true, content: [{ type: 'text', text: made.error }] };
    exchange.asked = this.rest.ask(made.value, exchange.request);
    const progressToken = meta?.progressToken;
    const answer = await waitFor(exchange.asked, {
      signal: mcpReq.signal,
      ...(progressToken === undefined
        ? {}
        : {
            tell: (progress: number, message: string) =>
              mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, message } }),
          }),
    });
    return toToolResult(tool, answer);
  }

  /** The SDK tells callers the message of whatever is thrown, so that nothing is but what they may read. */
  private async guard<T>({ request }: Exchange, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (!(error instanceof Error && error.name === 'AbortError')) {
        this.parts.logger.error({ err: error, requestId: request.id }, 'a request of the protocol failed');
      }
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error. Supply the X-Request-Id for support.');
    }
  }
}

/** One HTTP request to the endpoint. */
interface Exchange {
  readonly request: FastifyRequest;
  /** The answer of the interface where that was asked, which has counted the call. */
  asked: Promise<RestAnswer> | undefined;
}

/**
 * Whether its call has become a request, once there is an answer. That of the older revision is there before the call is
 * looked at, which is within the same turn of the event loop: nothing is waited for in between.
 */
async function wasAsked(exchange: Exchange): Promise<boolean> {
  if (exchange.asked === undefined) await setImmediate();
  return exchange.asked !== undefined;
}

/** The body was read as JSON before. */
const messageIn = (body: unknown): JsonValue | undefined =>
  Buffer.isBuffer(body) && body.length > 0 ? (JSON.parse(body.toString('utf8')) as JsonValue) : undefined;

/** Headers that the SDK looks at; credentials are none of its business. */
function headersOf({ headers }: FastifyRequest): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && isOfProtocol(name)) passed.set(name, value);
  }
  return passed;
}

const isOfProtocol = (name: string): boolean => name === 'accept' || name === 'content-type' || name.startsWith('mcp-');

async function send(response: Response, reply: FastifyReply): Promise<void> {
  const { status, headers, body } = response;
  void reply.code(status);
  for (const name of passedHeaders) {
    const value = headers.get(name);
    if (value !== null) void reply.header(name, value);
  }
  if (body === null) void reply.send();
  else if (headers.get('content-type')?.startsWith('text/event-stream') === true) {
    void reply.send(Readable.fromWeb(body));
  } else void reply.send(Buffer.from(await response.arrayBuffer()));
}
