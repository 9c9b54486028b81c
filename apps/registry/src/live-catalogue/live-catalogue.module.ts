import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER, METRICS, POOL, type ServiceRuntime } from '@capability-router/service-kit';
import type { ToolIndexOptions } from '@capability-router/tool-search';
import { Module, type DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import type { RegistryConfig } from '../config.js';
import { createSemanticSearch } from '../embedding/create-semantic-search.js';
import { EmbeddingsTask } from '../embedding/embeddings.task.js';
import { SemanticSearch } from '../embedding/semantic-search.js';
import { EvidenceCopiesModule } from '../evidence/evidence-copies.module.js';
import { FeedbackCopy } from '../feedback/feedback-copy.js';
import { indexVocabulary } from '../feedback/index-vocabulary.js';
import { ProviderDirectory } from '../providers/domain/provider-directory.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { StatisticsCopy } from '../statistics/statistics-copy.js';
import { FEEDBACK_VOCABULARY } from '../tokens.js';
import { CatalogueFollower } from './catalogue-follower.js';

type Logger = ServiceRuntime['logger'];
type Metrics = ServiceRuntime['metrics'];

/** The published catalogue in memory, and the search in it. */
@Module({})
export class LiveCatalogueModule {
  /** `options`: what the index holds beside the catalogue; they take long to load, and may still be on their way. */
  static with(options: Promise<ToolIndexOptions>): DynamicModule {
    return {
      module: LiveCatalogueModule,
      imports: [EvidenceCopiesModule],
      providers: [
        CatalogueFollower,
        ProviderDirectory,
        EmbeddingsTask,
        {
          provide: CatalogueCopy,
          inject: [StatisticsCopy, FeedbackCopy, CONFIG, LOGGER],
          useFactory: async (
            statistics: StatisticsCopy,
            feedback: FeedbackCopy,
            config: RegistryConfig,
            logger: Logger,
          ) =>
            new CatalogueCopy(
              { feedback: (toolId) => feedback.get(toolId), statistics: (toolId) => statistics.get(toolId) },
              config.searchMinFit,
              {
                ...(await options),
                onError: (error) => logger.error({ err: error }, 'the search index could not tidy up'),
              },
            ),
        },
        {
          provide: SemanticSearch,
          inject: [CONFIG, POOL, CatalogueCopy, CLOCK, LOGGER, METRICS],
          useFactory: (
            { embedding, searchMinFit: minFit }: RegistryConfig,
            pool: pg.Pool,
            catalogue: CatalogueCopy,
            clock: Clock,
            logger: Logger,
            metrics: Metrics,
          ) => createSemanticSearch(embedding, { pool, catalogue, clock, logger, metrics, minFit }),
        },
        { provide: FEEDBACK_VOCABULARY, inject: [CatalogueCopy], useFactory: indexVocabulary },
      ],
      exports: [CatalogueCopy, CatalogueFollower, ProviderDirectory, SemanticSearch, FEEDBACK_VOCABULARY],
    };
  }
}
