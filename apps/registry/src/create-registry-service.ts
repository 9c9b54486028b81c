import { builtinCategories, builtinProviders, builtinTools } from '@capability-router/builtin-tools';
import { topicNames } from '@capability-router/contracts';
import type { Tail } from '@capability-router/event-bus';
import { eventTableSource } from '@capability-router/event-store';
import {
  createNestApp,
  HoldClient,
  HoldReleases,
  openServiceDatabase,
  PeriodicTasks,
  RemainingCredits,
} from '@capability-router/service-kit';
import type { RunningService, ServiceRuntime } from '@capability-router/service-kit';
import type { AdminContext } from './admin/admin-context.js';
import { adminContentTypes, adminRoutes } from './admin/admin-routes.js';
import { AdminModule } from './admin/admin.module.js';
import { YamlPool } from './admin/manifest/yaml-pool.js';
import type { CatalogueSource } from './catalogue/domain/catalogue-source.js';
import { publishCatalogue } from './catalogue/publish-catalogue.js';
import type { RegistryConfig } from './config.js';
import { DiscoveryRecorder } from './discovery/discovery-recorder.js';
import { createSemanticSearch, indexOptions } from './embedding/create-semantic-search.js';
import { Evidence } from './evidence/evidence.js';
import { EvidenceConsumersModule } from './evidence/evidence-consumers.module.js';
import { indexVocabulary } from './feedback/index-vocabulary.js';
import { migrations } from './migrations/index.js';
import { ProviderDirectory } from './providers/domain/provider-directory.js';
import { RegistryModule } from './registry.module.js';
import { CatalogueCopy } from './search-index/catalogue-copy.js';
import { followCatalogue } from './search-index/follow-catalogue.js';
import { SearchCharge } from './search-price/search-charge.js';
import { ConversionPool } from './sources/conversion-pool.js';
import { sourceRoutes } from './sources/source-routes.js';
import { SourcesModule } from './sources/sources.module.js';
import { KnownStatistics } from './tool-result/known-statistics.js';

/** Bytes: parameters that a Call may carry, a Probe may too. */
const BODY_LIMIT_BYTES = 1_048_576;

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
  const { name, bus, clients, logger, metrics, tokens } = runtime;
  // Read while the database is connected to; awaited below.
  const loadingIndex = indexOptions(config.embedding);
  loadingIndex.catch(() => undefined);
  const { dataSource, pool, clock, health: database } = await openServiceDatabase(runtime, config, migrations);
  const committed = (): void => bus.nudge('registry');
  const catalogue: CatalogueCopy = new CatalogueCopy(
    {
      feedback: (toolId) => evidence.feedback.get(toolId),
      statistics: (toolId) => evidence.statistics.get(toolId),
    },
    config.searchMinScore,
    { ...(await loadingIndex), onError: (error) => logger.error({ err: error }, 'the search index could not tidy up') },
  );
  const searcher = await createSemanticSearch(config.embedding, {
    pool,
    catalogue,
    clock,
    logger,
    metrics,
    minScore: config.searchMinScore,
  });
  const evidence = new Evidence({
    pool,
    clock,
    reindex: (toolIds) => catalogue.reindex(toolIds),
    ...config.evidence,
  });
  const providers = new ProviderDirectory();
  catalogue.onChange((before, after) => {
    providers.replace(before, after);
    searcher.changed(before, after);
  });
  const recorder = new DiscoveryRecorder(pool, logger, committed);
  const credits = new RemainingCredits(clients.billing);
  const statistics = new KnownStatistics(evidence.statistics, `${config.evidence.statistics.windowDays}d`);
  const charge = new SearchCharge({
    holds: new HoldClient(clients.billing),
    holdTimeoutMs: config.searchHoldTimeoutMs,
    price: config.searchPrice,
    releases: new HoldReleases(clients.billing, logger),
    faults: config.faults,
  });
  const onFault = (err: unknown): void => logger.error({ err }, 'a process that reads documents failed');
  const yaml = new YamlPool(onFault);
  const conversions = new ConversionPool(onFault);
  const admin: AdminContext = { pool, clock, logger, committed, yaml };
  const app = await createNestApp(
    RegistryModule.with(
      {
        pool,
        clock,
        catalogue,
        searcher,
        providers,
        statistics,
        recorder,
        credits,
        charge,
        evidence,
        retention: config,
      },
      AdminModule.with(admin),
      EvidenceConsumersModule.with({ clock, vocabulary: indexVocabulary(catalogue), ...config.evidence }),
      SourcesModule.with({ ...admin, access: config.sourceAccess, conversions }),
    ),
    {
      service: name,
      logger,
      metrics,
      tokens,
      events: { bus, pool },
      bodyLimitBytes: BODY_LIMIT_BYTES,
      streamedContentTypes: adminContentTypes,
      routes: { ...adminRoutes, ...sourceRoutes },
    },
  );
  bus.publishFrom(pool, 'registry', [eventTableSource([topicNames.catalogue, topicNames.searches])]);

  let tail: Tail | undefined;
  return {
    name,
    fastify: app.getHttpAdapter().getInstance(),
    database,
    ready: () =>
      tail === undefined ? { ready: false, detail: 'the catalogue is not loaded' } : clock.judge(bus.health()),
    start: async () => {
      await evidence.load();
      const changes = await publishCatalogue(pool, clock, source);
      tail = await followCatalogue(pool, catalogue, logger);
      logger.info({ ...changes, tools: catalogue.size }, 'the catalogue is loaded');
      if (changes.published + changes.retired > 0) committed();
      searcher.start();
      app.get(PeriodicTasks).start();
    },
    stop: async () => {
      await app.get(PeriodicTasks).stop();
      await searcher.stop();
      await tail?.stop();
      await app.close();
      await Promise.all([yaml.close(), conversions.close()]);
      await dataSource.destroy();
    },
  };
}
