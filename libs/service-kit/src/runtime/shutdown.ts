import type { Logger } from 'pino';
import type { EventBus } from '@capability-router/event-bus';
import { delay } from '../util/timing.js';
import { endInTurn } from './end-in-turn.js';
import type { RunningService } from './service-runtime.js';

export interface StopOptions {
  readonly service: Pick<RunningService, 'fastify' | 'stop'>;
  readonly bus: Pick<EventBus, 'stop'>;
  /** Milliseconds in which balancers learn from `/readyz` that no more requests should come. */
  readonly drainMs: number;
  /** Last steps, after the service has stopped. */
  afterwards(): Promise<void>;
}

export interface ShutdownOptions extends StopOptions {
  readonly logger: Logger;
  /** Milliseconds after which the process exits whatever is left. */
  readonly timeoutMs: number;
}

/** On SIGTERM or SIGINT: stops and exits with 0; with 1 where it cannot, or not in time. */
export function installShutdown(options: ShutdownOptions): void {
  const { logger } = options;
  let stopping = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    const late = setTimeout(() => {
      logger.error({ timeoutMs: options.timeoutMs }, 'did not stop in time');
      process.exit(1);
    }, options.timeoutMs);
    late.unref();
    stopService(options).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'failed to stop');
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
  // The state after an unexpected error is unknown; another replica or a restart goes on from what is stored.
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
}

/** Not ready, drain, close the listener, finish what runs, stop: each also where one before it failed, which rejects in the end. */
export async function stopService({ service, bus, drainMs, afterwards }: StopOptions): Promise<void> {
  const { fastify } = service;
  fastify.readiness.current = () => ({ ready: false, detail: 'stopping' });
  fastify.availability.current = 'draining';
  await delay(drainMs);
  await endInTurn([
    () => fastify.close(),
    // The batch in hand ends while the service's connections are still open.
    () => bus.stop(),
    () => service.stop(),
    afterwards,
  ]);
}
