import { MCP_PATH } from '@capability-router/contracts';
import { traceIdOf } from '@capability-router/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';

const FIRST_ERROR = 400;
const CLOSING_BRACE = 0x7d;

/**
 * Puts `trace_id` at the end of an error's JSON object, whoever made it, where the request is of a trace: by it its
 * operators find what happened. Everything else is passed on as it is.
 */
export function withTraceId(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  const { traceparent } = request;
  if (traceparent === undefined || reply.statusCode < FIRST_ERROR || !isJson(reply)) return payload;
  // A message of MCP has the members of JSON-RPC and no other.
  if (request.routeOptions.url === MCP_PATH) return payload;
  const body = typeof payload === 'string' ? Buffer.from(payload) : payload;
  // An empty object has no member to put a comma behind, and none of ours is empty.
  if (!Buffer.isBuffer(body) || body.length < 3 || body.at(-1) !== CLOSING_BRACE) return payload;
  // The length was told before where somebody passes an answer on.
  reply.removeHeader('content-length');
  return Buffer.concat([body.subarray(0, -1), Buffer.from(`,"trace_id":"${traceIdOf(traceparent)}"}`)]);
}

const isJson = (reply: FastifyReply): boolean => /^application\/json\b/.test(String(reply.getHeader('content-type')));
