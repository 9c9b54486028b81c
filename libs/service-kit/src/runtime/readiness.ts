import type { Readiness } from '../http/server.js';
import type { RunningService } from './service-runtime.js';

/** Milliseconds between two looks at a service that has started and is not ready yet. */
const LOOK_MS = 20;

/** A service can serve when its own parts say so and its database answers within a second. */
export async function readinessOf(service: Pick<RunningService, 'ready' | 'database'>): Promise<Readiness> {
  const own = service.ready();
  if (!own.ready || service.database === undefined || (await service.database.answers())) return own;
  return { ready: false, detail: 'the database does not answer' };
}

/**
 * From the first time on that it says itself to be ready, with its copies loaded, the service takes requests. What it
 * loses later it tells by its answers and by `/readyz`.
 */
export function openOnceReady(service: RunningService): void {
  const { fastify, database } = service;
  fastify.readiness.current = () => readinessOf(service);
  // Peers ask `/readyz` only where they suspect something, so a replica whose clock was set has to refuse by itself.
  if (database !== undefined) fastify.availability.isFit = () => database.clockAgrees();
  const look = (): void => {
    // A service that is stopped before it was ready is not opened.
    if (fastify.availability.current !== 'not_ready') return;
    if (service.ready().ready) fastify.availability.current = 'open';
    else setTimeout(look, LOOK_MS).unref();
  };
  look();
}
