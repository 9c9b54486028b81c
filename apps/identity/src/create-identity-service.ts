import { topicNames } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import { createNestApp, openServiceDatabase, PeriodicTasks } from '@capability-router/service-kit';
import type { RunningService, ServiceRuntime } from '@capability-router/service-kit';
import type { IdentityConfig } from './config.js';
import { IdentityModule } from './identity.module.js';
import { migrations } from './migrations/index.js';

/** Bytes; no body of this service comes near it. */
const BODY_LIMIT_BYTES = 65_536;

/** Connects to the database; rejects when its schema is not this build's. Nothing runs until `start`. */
export async function createIdentityService(config: IdentityConfig, runtime: ServiceRuntime): Promise<RunningService> {
  const { name, bus, clients, logger, metrics, tokens } = runtime;
  const { dataSource, pool, clock, health: database } = await openServiceDatabase(runtime, config, migrations);
  const committed = (): void => bus.nudge('identity');
  const app = await createNestApp(IdentityModule.with({ pool, clock, config, billing: clients.billing, committed }), {
    service: name,
    logger,
    metrics,
    tokens,
    events: { bus, pool },
    bodyLimitBytes: BODY_LIMIT_BYTES,
  });
  bus.publishFrom(pool, 'identity', [eventTableSource([topicNames.accounts])]);
  return {
    name,
    fastify: app.getHttpAdapter().getInstance(),
    database,
    ready: () => clock.judge(bus.health()),
    start: async () => app.get(PeriodicTasks).start(),
    stop: async () => {
      await app.close();
      await dataSource.destroy();
    },
  };
}
