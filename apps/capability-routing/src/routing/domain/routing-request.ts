import type { Credits } from '@capability-router/kernel';
import type { Preference } from './routing-policy.js';

/** The request that a decision must keep to. */
export interface RoutingRequest {
  /** Draws who explores and whom a candidate that is taken back serves: the id of the execution. */
  readonly seed: string;
  readonly maxCredits?: Credits;
  /** Credits that the account can spend now. Left out where they are not known: then the hold decides. */
  readonly availableCredits?: Credits;
  /** Only this provider. */
  readonly providerId?: string;
  /** Only these providers. */
  readonly providerIds?: readonly string[];
  readonly prefer?: Exclude<Preference, 'balanced'>;
  /** The lists of a delegation token: at least one tool or provider in each that it has. */
  readonly delegation?: { readonly toolIds?: readonly string[]; readonly providerIds?: readonly string[] };
}
