import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route reads its body at its own pace; it bounds size and pauses itself. */
    streamsBody?: boolean;
  }
}

/**
 * Closes the connection of a request whose body is not there in time. Node's own limit is one for the whole server, and
 * a route that streams its body needs longer; so that limit is set for those, and this one guards all others.
 */
export function closeOnLateBody(server: FastifyInstance, timeoutMs: number): void {
  server.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.routeOptions.config.streamsBody !== true) watch(request, timeoutMs);
    done();
  });
  // A request that was answered without its body being read, on any route, gets as long again to send the rest.
  server.addHook('onResponse', (request, _reply, done) => {
    watch(request, timeoutMs);
    done();
  });
}

function watch({ raw }: FastifyRequest, timeoutMs: number): void {
  // Nearly always the body came with the head. A request within the process has no such state, and no connection.
  const { complete } = raw as { complete?: boolean };
  if (complete !== false || raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), timeoutMs);
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop).once('close', stop);
}
