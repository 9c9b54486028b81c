import { builtinCategories, builtinProviders, builtinTools } from '@capability-router/builtin-tools';
import { topicNames } from '@capability-router/contracts';
import type { Tail } from '@capability-router/event-bus';
import { eventTableSource } from '@capability-router/event-store';
import { createNestApp, openDatabase } from '@capability-router/service-kit';
import type { RunningService, ServiceRuntime } from '@capability-router/service-kit';
import type { CatalogueSource } from './catalogue/domain/catalogue-source.js';
import { publishCatalogue } from './catalogue/publish-catalogue.js';
import type { RegistryConfig } from './config.js';
import { RemainingCredits } from './credits/remaining-credits.js';
import { DiscoveryRecorder } from './discovery/discovery-recorder.js';
import { migrations } from './migrations/index.js';
import { RegistryModule } from './registry.module.js';
import { startRetentionSweep } from './retention/retention-sweep.js';
import { CatalogueCopy } from './search-index/catalogue-copy.js';
import { followCatalogue } from './search-index/follow-catalogue.js';

/** Bytes; 100 tool ids of 200 characters stay far below. */
const BODY_LIMIT_BYTES = 262_144;

const builtinSource: CatalogueSource = {
  name: 'builtin',
  providers: builtinProviders,
  categories: builtinCategories,
  tools: builtinTools,
};

/** Connects to the database; rejects when its schema is not this build's. Nothing runs until `start`. */
export async function createRegistryService(
  config: RegistryConfig,
  runtime: ServiceRuntime,
  source: CatalogueSource = builtinSource,
): Promise<RunningService> {
  const { name, bus, clients, clock, logger, metrics, tokens } = runtime;
  const { dataSource, pool } = await openDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    migrations,
    applicationName: name,
  });
  const committed = (): void => bus.nudge('registry');
  const catalogue = new CatalogueCopy();
  const recorder = new DiscoveryRecorder(pool, logger, committed);
  const credits = new RemainingCredits(clients.billing, config.remainingCreditsBudgetMs);
  const app = await createNestApp(RegistryModule.with({ pool, clock, catalogue, recorder, credits }), {
    service: name,
    logger,
    metrics,
    tokens,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  });
  bus.publishFrom(pool, 'registry', [eventTableSource([topicNames.catalogue, topicNames.searches])]);

  let tail: Tail | undefined;
  let stopSweep: () => Promise<void> = () => Promise.resolve();
  return {
    name,
    fastify: app.getHttpAdapter().getInstance(),
    ready: () => (tail === undefined ? { ready: false, detail: 'the catalogue is not loaded' } : bus.health()),
    start: async () => {
      const changes = await publishCatalogue(pool, clock, source);
      tail = await followCatalogue(pool, catalogue, logger);
      logger.info({ ...changes, tools: catalogue.size }, 'the catalogue is loaded');
      if (changes.published + changes.retired > 0) committed();
      stopSweep = startRetentionSweep(pool, clock, config, logger);
    },
    stop: async () => {
      await stopSweep();
      await tail?.stop();
      await app.close();
      await dataSource.destroy();
    },
  };
}
