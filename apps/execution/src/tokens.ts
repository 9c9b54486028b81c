/** The parts that every slice of execution may be given beside those of every service; what a slice makes itself is injected by its class. */
/** The one connection over which the lease is renewed, as a `pg.Pool`. */
export const LEASE_POOL = Symbol('LEASE_POOL');
/** Origin under which callers reach the gateway. */
export const EXECUTION_PUBLIC_URL = Symbol('EXECUTION_PUBLIC_URL');
/** A `ProviderAdapter` that tests put in place of those of the deployment, or undefined. */
export const PROVIDER_REPLACEMENT = Symbol('PROVIDER_REPLACEMENT');
