import { openDatabase, ServicePartsModule, type ParkedStore } from '@capability-router/service-kit';
import { ToolIndexThread } from '@capability-router/tool-search';
import { loadRegistryConfig } from '../config.js';
import { EvidenceConsumersModule } from '../evidence/evidence-consumers.module.js';
import type { FeedbackVocabulary } from '../feedback/domain/feedback-terms.js';
import { indexVocabulary } from '../feedback/index-vocabulary.js';
import { migrations } from '../migrations/index.js';
import { CatalogueCopy } from '../search-index/catalogue-copy.js';
import { FEEDBACK_VOCABULARY } from '../tokens.js';

const CONNECTIONS = 2;

class ParkedModule {}
class VocabularyModule {}

/** The parked events of the registry, with the handlers that they are handled by again. `env`: its variables. */
export async function openParkedStore(env: NodeJS.ProcessEnv): Promise<ParkedStore> {
  const config = loadRegistryConfig(env);
  // Its clock is the database's, as that of the services: what is replayed is recorded for good.
  const { clock, dataSource, pool } = await openDatabase({
    url: config.databaseUrl,
    poolSize: CONNECTIONS,
    migrations,
    applicationName: 'registry-parked',
  });
  // Which words feedback may keep is decided by the words of the published tools; they are read for feedback alone.
  let catalogue: CatalogueCopy | undefined;
  let words: FeedbackVocabulary | undefined;
  const vocabulary: FeedbackVocabulary = {
    termsOf: (text) => words?.termsOf(text) ?? [],
    commonAmong: async (terms) => (await words?.commonAmong(terms)) ?? new Set(),
  };
  return {
    pool,
    handlers: {
      module: ParkedModule,
      imports: [
        ServicePartsModule.with({ config, clock }),
        EvidenceConsumersModule.with({
          module: VocabularyModule,
          providers: [{ provide: FEEDBACK_VOCABULARY, useValue: vocabulary }],
          exports: [FEEDBACK_VOCABULARY],
        }),
      ],
    },
    prepare: async (group) => {
      if (group !== 'registry.feedback') return;
      catalogue = new CatalogueCopy({
        pool,
        openIndex: (onEnd) => new ToolIndexThread({ wordVectors: false, onEnd }),
      });
      await catalogue.load();
      words = indexVocabulary(catalogue);
    },
    close: async () => {
      await catalogue?.close();
      await dataSource.destroy();
    },
  };
}
