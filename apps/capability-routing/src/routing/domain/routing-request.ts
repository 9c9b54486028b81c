import type { Credits } from '@capability-router/kernel';
import type { Preference } from './routing-policy.js';

/** What a decision has to keep to. */
export interface RoutingRequest {
  /** Draws who explores and whom a candidate that is taken back serves: the id of the execution. */
  readonly seed: string;
  readonly maxCredits?: Credits;
  /** What the account can spend now. Left out where it is not known: then the hold decides. */
  readonly availableCredits?: Credits;
  /** Only this provider. */
  readonly providerId?: string;
  /** Only these providers. */
  readonly providerIds?: readonly string[];
  readonly prefer?: Exclude<Preference, 'balanced'>;
  /** What a delegation token names: at least one tool or provider in each list that it has. */
  readonly delegation?: { readonly toolIds?: readonly string[]; readonly providerIds?: readonly string[] };
}
