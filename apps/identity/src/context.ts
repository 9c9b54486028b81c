import type { Clock } from '@capability-router/kernel';
import type { ServiceClient } from '@capability-router/service-kit';
import type pg from 'pg';
import type { IdentityConfig } from './config.js';

/** Injection token of `IdentityContext`. */
export const IDENTITY = Symbol('identity');

/** What every controller of this service works with. */
export interface IdentityContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly config: IdentityConfig;
  /** Books the first grant of an account, and is asked whether it has. */
  readonly billing: ServiceClient;
  /** Called after a commit that recorded events, so that readers look at once. */
  readonly committed: () => void;
}
