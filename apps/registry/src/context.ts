import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { RemainingCredits } from './credits/remaining-credits.js';
import type { DiscoveryRecorder } from './discovery/discovery-recorder.js';
import type { CatalogueCopy } from './search-index/catalogue-copy.js';

/** Injection token of `RegistryContext`. */
export const REGISTRY = Symbol('registry');

/** What every controller of this service works with. */
export interface RegistryContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly catalogue: CatalogueCopy;
  readonly recorder: DiscoveryRecorder;
  readonly credits: RemainingCredits;
}
