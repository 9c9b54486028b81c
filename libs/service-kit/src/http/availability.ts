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
    /** Set by whoever runs the service; open unless it says otherwise. */
    availability: { current: Availability };
  }
}

/** What probes ask is answered at any time. */
const probePaths: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** Call it before any other hook: what is refused here has touched nothing. */
export function tellAvailability(server: FastifyInstance): void {
  server.decorate('availability', { current: 'open' });
  server.addHook('onRequest', (request, reply, done) => {
    const { current } = server.availability;
    if (current === 'open' || probePaths.has(request.url)) {
      done();
      return;
    }
    reply.header(internalHeaders.availability, current);
    if (current === 'draining') {
      reply.header('connection', 'close');
      done();
    } else {
      done(new AppError('service_unavailable', 'The service is starting. Retry in a moment.'));
    }
  });
}
