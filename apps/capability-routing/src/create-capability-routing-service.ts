import { builtinCapabilities } from '@capability-router/builtin-tools';
import { topicNames, type CapabilityManifest } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import {
  closeApp,
  createServiceApp,
  endInTurn,
  importContentTypes,
  openServiceDatabase,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { CapabilityRoutingStart } from './capability-routing-start.js';
import { CapabilityRoutingModule } from './capability-routing.module.js';
import type { CapabilityRoutingConfig } from './config.js';
import { migrations } from './migrations/index.js';

/** Bytes. */
const BODY_LIMIT_BYTES = 262_144;
/** As large as a Call. */
const QUERY_BODY_LIMIT_BYTES = 1_048_576;

/** Connects to the database; rejects when its schema is not this build's. Nothing runs until `start`. */
export async function createCapabilityRoutingService(
  config: CapabilityRoutingConfig,
  runtime: ServiceRuntime,
  capabilities: readonly CapabilityManifest[] = builtinCapabilities,
): Promise<RunningService> {
  const { name, bus, clients } = runtime;
  const database = await openServiceDatabase(runtime, config, migrations);
  const module = CapabilityRoutingModule.with(capabilities, clients.execution);
  const app = await createServiceApp(
    module,
    { config, runtime, database },
    {
      bodyLimitBytes: BODY_LIMIT_BYTES,
      streamedContentTypes: importContentTypes,
      routes: {
        'POST /api/v1/capabilities/query': { bodyLimitBytes: QUERY_BODY_LIMIT_BYTES },
        'POST /admin/v1/capabilities::import': { streamsBody: true },
      },
    },
  );
  bus.publishFrom(database.pool, 'capability-routing', [eventTableSource([topicNames.capabilities])]);
  return {
    name,
    fastify: app.getHttpAdapter().getInstance(),
    database: database.health,
    ready: () =>
      app.get(CapabilityRoutingStart).isPublished
        ? database.clock.judge(bus.health())
        : { ready: false, detail: 'the contracts are not published' },
    start: () => app.get(CapabilityRoutingStart).start(),
    stop: () => endInTurn([() => closeApp(app), () => database.dataSource.destroy()]),
  };
}
