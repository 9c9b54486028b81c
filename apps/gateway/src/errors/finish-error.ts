import { MCP_PATH } from '@capability-router/contracts';
import { isJsonObject, isSecret, NOT_SHOWN, receivedOf, type JsonObject } from '@capability-router/kernel';
import { errorMembers, traceIdOf } from '@capability-router/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withFaults, withinBound } from './within-bound.js';

const FIRST_ERROR = 400;
/** Statuses that ask to come again, and the seconds that are told where nobody said more. */
const laterStatuses: ReadonlySet<number> = new Set([429, 503]);
const DEFAULT_RETRY_AFTER = '1';

/**
 * Ends every error, whoever made it: the members that all of them have stand in it, no longer than an error may be, and
 * `trace_id` at its end where the request is of a trace, by which its operators find what happened. Everything else is
 * passed on as it is.
 */
export function finishError(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (reply.statusCode < FIRST_ERROR || !isJson(reply)) return payload;
  // A message of MCP has the members of JSON-RPC and no other.
  if (request.routeOptions.url === MCP_PATH) return payload;
  const body = objectIn(payload);
  if (body === undefined) return payload;
  const members = isOfOAuth(body) ? {} : membersOf(request, reply, body);
  const { traceparent } = request;
  const told = {
    ...withToldFaults(body),
    ...members,
    ...(traceparent === undefined ? {} : { trace_id: traceIdOf(traceparent) }),
  } as JsonObject;
  // The length was told before where somebody passes an answer on.
  reply.removeHeader('content-length');
  return withinBound(told);
}

function membersOf(request: FastifyRequest, reply: FastifyReply, body: JsonObject) {
  const { statusCode: status } = reply;
  if (laterStatuses.has(status) && !reply.hasHeader('retry-after')) reply.header('retry-after', DEFAULT_RETRY_AFTER);
  return errorMembers({ status, body, retryAfter: reply.getHeader('retry-after'), requestId: request.id });
}

/** RFC 6749 says which members such an error has. */
const isOfOAuth = (body: JsonObject): boolean => 'error_description' in body;

const isJson = (reply: FastifyReply): boolean => /^application\/json\b/.test(String(reply.getHeader('content-type')));

/** Undefined for what is no JSON object: a stream, nothing, or an answer that somebody else spoilt. */
function objectIn(payload: unknown): JsonObject | undefined {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return undefined;
  try {
    const body: unknown = JSON.parse(payload.toString());
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Each fault says its `field`, and what was received, also where whoever found it tells the input alone. */
const withToldFaults = (body: JsonObject): JsonObject =>
  withFaults(body, (fault) => {
    const { loc, input } = fault;
    const path = Array.isArray(loc) ? loc.slice(1).map(String).join('.') : '';
    const name = Array.isArray(loc) ? loc.at(-1) : undefined;
    const received = input === null ? undefined : receivedOf(name, input);
    return {
      ...fault,
      ...(input !== undefined && input !== null && isSecret(name, input) ? { input: NOT_SHOWN } : {}),
      ...(path === '' ? {} : { field: path }),
      ...(received === undefined || 'received' in fault ? {} : { received }),
    };
  });
