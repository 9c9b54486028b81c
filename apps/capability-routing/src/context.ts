import type pg from 'pg';
import type { RemainingCredits } from './credits/remaining-credits.js';

/** Injection token of `CapabilityRoutingContext`. */
export const CAPABILITY_ROUTING = Symbol('capability-routing');

/** What every controller of this service works with. */
export interface CapabilityRoutingContext {
  readonly pool: pg.Pool;
  readonly credits: RemainingCredits;
}
