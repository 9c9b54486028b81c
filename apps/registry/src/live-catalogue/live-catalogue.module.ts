import type { Clock } from '@capability-router/kernel';
import { CLOCK, CONFIG, LOGGER, METRICS, POOL, type ServiceRuntime } from '@capability-router/service-kit';
import { ToolIndexThread, type ChineseGlosses } from '@capability-router/tool-search';
import { Module, type DynamicModule } from '@nestjs/common';
import type pg from 'pg';
import type { RegistryConfig } from '../config.js';
import { createSemanticSearch } from '../embedding/create-semantic-search.js';
import { usesWordVectors } from '../embedding/embedding-config.js';
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
  /** `glosses`: the dictionary of the index; it takes long to load, and may still be on its way. */
  static with(glosses: Promise<ChineseGlosses>): DynamicModule {
    return {
      module: LiveCatalogueModule,
      imports: [EvidenceCopiesModule],
      providers: [
        CatalogueFollower,
        ProviderDirectory,
        EmbeddingsTask,
        {
          provide: CatalogueCopy,
          inject: [POOL, StatisticsCopy, FeedbackCopy, CONFIG, LOGGER],
          useFactory: async (
            pool: pg.Pool,
            statistics: StatisticsCopy,
            feedback: FeedbackCopy,
            { searchMinFit: minFit, embedding }: RegistryConfig,
            logger: Logger,
          ) => {
            const index = {
              glosses: await glosses,
              wordVectors: usesWordVectors(embedding),
              onError: (err: unknown) => logger.error({ err }, 'the search index could not tidy up'),
            };
            return new CatalogueCopy({
              pool,
              openIndex: (onEnd) => new ToolIndexThread({ ...index, onEnd }),
              evidence: { feedback: (toolId) => feedback.get(toolId), statistics: (toolId) => statistics.get(toolId) },
              minFit,
              onIndexEnd: (err) => logger.error({ err }, 'the search index has ended and is built anew'),
            });
          },
        },
        {
          provide: SemanticSearch,
          inject: [CONFIG, POOL, CatalogueCopy, CLOCK, LOGGER, METRICS],
          useFactory: async (
            { embedding, searchMinFit: minFit }: RegistryConfig,
            pool: pg.Pool,
            catalogue: CatalogueCopy,
            clock: Clock,
            logger: Logger,
            metrics: Metrics,
          ) =>
            createSemanticSearch(embedding, {
              pool,
              catalogue,
              clock,
              logger,
              metrics,
              minFit,
              glosses: await glosses,
            }),
        },
        { provide: FEEDBACK_VOCABULARY, inject: [CatalogueCopy], useFactory: indexVocabulary },
      ],
      exports: [CatalogueCopy, CatalogueFollower, ProviderDirectory, SemanticSearch, FEEDBACK_VOCABULARY],
    };
  }
}
