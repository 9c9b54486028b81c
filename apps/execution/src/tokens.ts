/** What every slice of execution may be given; what a slice makes itself is injected by its class. */
export const EXECUTION_POOL = Symbol('EXECUTION_POOL');
/** The one connection over which the lease is renewed, as a `pg.Pool`. */
export const LEASE_POOL = Symbol('LEASE_POOL');
export const EXECUTION_CLOCK = Symbol('EXECUTION_CLOCK');
export const EXECUTION_CONFIG = Symbol('EXECUTION_CONFIG');
export const EXECUTION_LOGGER = Symbol('EXECUTION_LOGGER');
export const EXECUTION_METRICS = Symbol('EXECUTION_METRICS');
/** `() => void`, to be called when events of this service are committed. */
export const EXECUTION_COMMITTED = Symbol('EXECUTION_COMMITTED');
/** Origin under which callers reach the gateway. */
export const EXECUTION_PUBLIC_URL = Symbol('EXECUTION_PUBLIC_URL');
/** The `ServiceClient` of billing. */
export const BILLING_SERVICE = Symbol('BILLING_SERVICE');
/** A `ProviderAdapter` that tests put in place of those of the deployment, or undefined. */
export const PROVIDER_REPLACEMENT = Symbol('PROVIDER_REPLACEMENT');
