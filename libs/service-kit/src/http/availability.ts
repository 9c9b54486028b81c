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

/** What probes ask is answered at any time. */
const probePaths: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** Call it before any other hook: what is refused here has touched nothing. */
export function tellAvailability(server: FastifyInstance): void {
  server.decorate('availability', { current: 'open', isFit: () => true });
  server.addHook('onRequest', (request, reply, done) => {
    const { current, isFit } = server.availability;
    if (probePaths.has(request.url)) done();
    else if (current === 'not_ready') done(notReady('The service is starting. Retry in a moment.'));
    else if (!isFit()) done(notReady('This replica cannot serve for now. Retry in a moment.'));
    else {
      if (current === 'draining') reply.headers({ [internalHeaders.availability]: current, connection: 'close' });
      done();
    }
  });
}

const notReady = (message: string): AppError => new AppError('service_unavailable', message, { notBegun: true });
