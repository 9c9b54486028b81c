import { builtinCapabilities } from '@capability-router/builtin-tools';
import { topicNames } from '@capability-router/contracts';
import type { CapabilityManifest } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import { createNestApp, openServiceDatabase, PeriodicTasks, RemainingCredits } from '@capability-router/service-kit';
import type { RunningService, ServiceRuntime } from '@capability-router/service-kit';
import { CapabilityRoutingModule } from './capability-routing.module.js';
import type { CapabilityRoutingConfig } from './config.js';
import { publishCapabilities } from './contracts/publish-capabilities.js';
import { migrations } from './migrations/index.js';

/** Bytes. */
const BODY_LIMIT_BYTES = 262_144;

/** Connects to the database; rejects when its schema is not this build's. Nothing runs until `start`. */
export async function createCapabilityRoutingService(
  config: CapabilityRoutingConfig,
  runtime: ServiceRuntime,
  capabilities: readonly CapabilityManifest[] = builtinCapabilities,
): Promise<RunningService> {
  const { name, bus, clients, logger, metrics, tokens } = runtime;
  const { dataSource, pool, clock, health: database } = await openServiceDatabase(runtime, config, migrations);
  const credits = new RemainingCredits(clients.billing);
  const app = await createNestApp(
    CapabilityRoutingModule.with({ pool, credits, creditsBudgetMs: config.remainingCreditsBudgetMs }),
    {
      service: name,
      logger,
      metrics,
      tokens,
      events: { bus, pool },
      bodyLimitBytes: BODY_LIMIT_BYTES,
    },
  );
  bus.publishFrom(pool, 'capability-routing', [eventTableSource([topicNames.capabilities])]);

  let published = false;
  return {
    name,
    fastify: app.getHttpAdapter().getInstance(),
    database,
    ready: () => (published ? clock.judge(bus.health()) : { ready: false, detail: 'the contracts are not published' }),
    start: async () => {
      const count = await publishCapabilities(pool, clock, capabilities);
      published = true;
      logger.info({ published: count, capabilities: capabilities.length }, 'the contracts are published');
      if (count > 0) bus.nudge('capability-routing');
      app.get(PeriodicTasks).start();
    },
    stop: async () => {
      await app.close();
      await dataSource.destroy();
    },
  };
}
