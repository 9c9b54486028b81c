import type { FastifyInstance } from 'fastify';
import type { ErrorAnswer } from '@capability-router/service-kit';
import type { AuthenticatedCaller } from '../credentials/credential-directory.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose credential the request carries; undefined on routes without one. */
    authenticated: AuthenticatedCaller | undefined;
    /** Set on a request that is refused but whose body is still read, because the answer repeats part of it. */
    refusal: ErrorAnswer | undefined;
  }
}

/** Every request has these members from its start on, so that objects of one shape pass through the handlers. */
export function declareRequestMembers(server: FastifyInstance): void {
  server.decorateRequest('authenticated', undefined);
  server.decorateRequest('refusal', undefined);
}
