import { errorMembers, readOn, type ErrorAnswer } from '@capability-router/service-kit';
import type { FastifyReply } from 'fastify';

/** JSON-RPC 2.0: the text is no JSON. */
const PARSE_ERROR = -32_700;
/** JSON-RPC 2.0: the JSON is no request. */
const INVALID_REQUEST = -32_600;
/** The code of JSON-RPC for a fault of the server's own kind: the status and the message tell which. */
const REFUSED = -32_000;

/** A refusal before a message was read, as JSON-RPC tells it: without an id, under the status and the headers that REST has for it. */
export function sendRefusal(reply: FastifyReply, { status, headers, body }: ErrorAnswer): FastifyReply {
  const { message, code, scope } = body;
  const members = errorMembers({ status, body, retryAfter: headers['retry-after'], requestId: reply.request.id });
  const error = {
    code: status === 400 ? PARSE_ERROR : REFUSED,
    message,
    data: { ...(code === undefined ? {} : { code }), ...(scope === undefined ? {} : { scope }), ...members },
  };
  // A header that is there already, such as the challenge, stays.
  for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value);
  readOn(reply.request, reply);
  return reply.code(status).send({ jsonrpc: '2.0', error, id: null });
}

/** 400: JSON that is not one message. */
export const sendInvalidRequest = (reply: FastifyReply, message: string): FastifyReply =>
  reply.code(400).send({ jsonrpc: '2.0', error: { code: INVALID_REQUEST, message }, id: null });
