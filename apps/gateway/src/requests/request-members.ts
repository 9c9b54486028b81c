import type { FastifyInstance } from 'fastify';
import type { AuthenticatedCaller } from '../credentials/credential-directory.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose credential the request carries; undefined on routes without one. */
    authenticated: AuthenticatedCaller | undefined;
  }
}

/** Every request has these members from its start on, so that objects of one shape pass through the handlers. */
export function declareRequestMembers(server: FastifyInstance): void {
  server.decorateRequest('authenticated', undefined);
}
