import { topicNames } from '@capability-router/contracts';
import { eventTableSource } from '@capability-router/event-store';
import {
  closeApp,
  createServiceApp,
  endInTurn,
  openServiceDatabase,
  type RunningService,
  type ServiceRuntime,
} from '@capability-router/service-kit';
import { loadChineseGlossesApart } from '@capability-router/tool-search';
import { adminContentTypes, adminRoutes } from './admin/admin-routes.js';
import { builtinSource } from './builtin-source.js';
import type { CatalogueSource } from './catalogue/domain/catalogue-source.js';
import type { RegistryConfig } from './config.js';
import { CatalogueFollower } from './live-catalogue/catalogue-follower.js';
import { migrations } from './migrations/index.js';
import { RegistryStart } from './registry-start.js';
import { RegistryModule } from './registry.module.js';
import { sourceRoutes } from './sources/source-routes.js';

/** Bytes: parameters that a Call may carry, a Probe may too. */
const BODY_LIMIT_BYTES = 1_048_576;

/** Connects to the database; rejects when its schema is not this build's. Nothing runs until `start`. */
export async function createRegistryService(
  config: RegistryConfig,
  runtime: ServiceRuntime,
  source: CatalogueSource = builtinSource,
): Promise<RunningService> {
  const { name, bus } = runtime;
  // The dictionary is read while the database is connected to, and awaited by whoever needs it.
  const glosses = loadChineseGlossesApart();
  glosses.catch(() => undefined);
  const database = await openServiceDatabase(runtime, config, migrations);
  const module = RegistryModule.with({ source, glosses, runtime });
  const app = await createServiceApp(
    module,
    { config, runtime, database },
    {
      bodyLimitBytes: BODY_LIMIT_BYTES,
      streamedContentTypes: adminContentTypes,
      routes: { ...adminRoutes, ...sourceRoutes },
    },
  );
  bus.publishFrom(database.pool, 'registry', [
    eventTableSource([topicNames.catalogue, topicNames.searches, topicNames.verifications]),
  ]);
  const follower = app.get(CatalogueFollower);
  return {
    name,
    fastify: app.getHttpAdapter().getInstance(),
    database: database.health,
    ready: () =>
      follower.isLoaded ? database.clock.judge(bus.health()) : { ready: false, detail: 'the catalogue is not loaded' },
    knownTools: () => follower.tools,
    start: () => app.get(RegistryStart).start(),
    stop: () => endInTurn([() => closeApp(app), () => database.dataSource.destroy()]),
  };
}
