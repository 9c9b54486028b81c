import type { Clock } from '@capability-router/kernel';
import type { ServiceRuntime } from '@capability-router/service-kit';
import type pg from 'pg';
import type { YamlPool } from './manifest/yaml-pool.js';

/** Injection token of `AdminContext`. */
export const ADMIN = Symbol('catalogue administration');

/** What the controllers of catalogue administration work with. */
export interface AdminContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: ServiceRuntime['logger'];
  /** To be called after a commit, so that readers of the events look at once. */
  readonly committed: () => void;
  readonly yaml: YamlPool;
}
