import type { RemainingCredits } from '@capability-router/service-kit';
import type pg from 'pg';

/** Injection token of `CapabilityRoutingContext`. */
export const CAPABILITY_ROUTING = Symbol('capability-routing');

/** What every controller of this service works with. */
export interface CapabilityRoutingContext {
  readonly pool: pg.Pool;
  readonly credits: RemainingCredits;
  /** Milliseconds that an answer waits for them. */
  readonly creditsBudgetMs: number;
}
