import type { FastifyInstance } from 'fastify';
import { internalHeaders } from '@capability-router/contracts';
import { AppError } from '@capability-router/kernel';

/**
 * `open`: requests are served. `not_ready`: they are refused before anything is begun, so that whoever asks may ask
 * another replica, whatever the request. `draining`: they are served, and whoever asks is told to go elsewhere next time.
 */
export type Availability = 'open' | 'not_ready' | 'draining';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Set by whoever runs the service; open unless it says otherwise. `isFit`: whether a replica that is open can serve at
     * all; asked at each request.
     */
    availability: { current: Availability; isFit: () => boolean };
  }
}

/** Questions of probes are answered at any time. */
const probePaths: ReadonlySet<string> = new Set(['/livez', '/readyz']);

export interface AvailabilityOptions {
  /**
   * Strangers ask, and not our own clients: each route refuses in its own shape while `takesRequests` says no, and no
   * internal header tells the availability. Where absent, the server refuses before it looks for a route.
   */
  readonly isPublic?: boolean;
}

/** False: whatever is asked has to be refused before anything is begun. */
export const takesRequests = ({ availability: { current, isFit } }: Pick<FastifyInstance, 'availability'>): boolean =>
  current !== 'not_ready' && isFit();

/** Call it before any other hook: what is refused here has touched nothing. */
export function tellAvailability(server: FastifyInstance, { isPublic = false }: AvailabilityOptions): void {
  server.decorate('availability', { current: 'open', isFit: () => true });
  server.addHook('onRequest', (request, reply, done) => {
    const { current } = server.availability;
    if (probePaths.has(request.url)) done();
    else if (!isPublic && !takesRequests(server)) done(current === 'not_ready' ? starting() : unfit());
    else {
      if (current === 'draining') {
        reply.header('connection', 'close');
        if (!isPublic) reply.header(internalHeaders.availability, current);
      }
      done();
    }
  });
}

const starting = (): AppError => notReady('The service is starting. Retry in a moment.');
const unfit = (): AppError => notReady('This replica cannot serve for now. Retry in a moment.');
const notReady = (message: string): AppError => new AppError('service_unavailable', message, { notBegun: true });
