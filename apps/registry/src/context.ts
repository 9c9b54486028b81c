import type { Clock } from '@capability-router/kernel';
import type { RemainingCredits } from '@capability-router/service-kit';
import type pg from 'pg';
import type { DiscoveryRecorder } from './discovery/discovery-recorder.js';
import type { SemanticSearch } from './embedding/semantic-search.js';
import type { Evidence } from './evidence/evidence.js';
import type { ProviderDirectory } from './providers/domain/provider-directory.js';
import type { RetentionPolicy } from './retention/retention-sweep.js';
import type { CatalogueCopy } from './search-index/catalogue-copy.js';
import type { KnownStatistics } from './tool-result/known-statistics.js';
import type { SearchCharge } from './search-price/search-charge.js';

/** Injection token of `RegistryContext`. */
export const REGISTRY = Symbol('registry');

/** What every controller of this service works with. */
export interface RegistryContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly catalogue: CatalogueCopy;
  readonly searcher: SemanticSearch;
  readonly providers: ProviderDirectory;
  readonly statistics: KnownStatistics;
  readonly recorder: DiscoveryRecorder;
  readonly credits: RemainingCredits;
  readonly charge: SearchCharge;
  readonly evidence: Evidence;
  readonly retention: RetentionPolicy;
}
