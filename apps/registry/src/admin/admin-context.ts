import type { Clock } from '@capability-router/kernel';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Injection token of `AdminContext`. */
export const ADMIN = Symbol('catalogue administration');

/** What the controllers of catalogue administration work with. */
export interface AdminContext {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  /** To be called after a commit, so that readers of the events look at once. */
  readonly committed: () => void;
}
