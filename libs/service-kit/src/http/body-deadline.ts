import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endUnanswered } from './in-flight.js';
import { refuseLate, type Headers } from './unfit-requests.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body at its own pace; it bounds size and pauses itself. */
    streamsBody?: boolean;
  }
}

/**
 * Answers 408 where a body is not there in time, and closes the connection. Node's own limit is one for the whole server, and
 * a route that streams its body needs longer; so that limit is set for those, and this one guards all others.
 */
export function closeOnLateBody(server: FastifyInstance, timeoutMs: number, responseHeaders: Headers): void {
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.routeOptions.config.streamsBody !== true) {
      watch(request, timeoutMs, () => refuse(request, reply, responseHeaders));
    }
    done();
  });
  // A request that was answered without its body being read, on any route, gets as long again to send the rest.
  server.addHook('onResponse', (request, _reply, done) => {
    watch(request, timeoutMs, () => request.raw.destroy());
    done();
  });
}

/** Nothing of it was begun, unless an answer says otherwise. */
function refuse({ raw }: FastifyRequest, reply: FastifyReply, responseHeaders: Headers): void {
  if (reply.raw.headersSent) {
    raw.destroy();
    return;
  }
  endUnanswered(reply);
  refuseLate('body', raw.socket, responseHeaders);
}

function watch({ raw }: FastifyRequest, timeoutMs: number, onLate: () => void): void {
  // Nearly always the body came with the head. A request within the process has no such state, and no connection.
  const { complete } = raw as { complete?: boolean };
  if (complete !== false || raw.destroyed) return;
  const timer = setTimeout(onLate, timeoutMs);
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop).once('close', stop);
}
