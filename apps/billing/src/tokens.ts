/** What the controllers of billing are given. */
export const BILLING_POOL = Symbol('BILLING_POOL');
export const BILLING_CLOCK = Symbol('BILLING_CLOCK');
export const BILLING_CONFIG = Symbol('BILLING_CONFIG');
export const BILLING_CLIENTS = Symbol('BILLING_CLIENTS');
export const BILLING_METRICS = Symbol('BILLING_METRICS');
export const BILLING_LOGGER = Symbol('BILLING_LOGGER');
/** Called after a commit that recorded events, so that readers look at once. */
export const BILLING_COMMITTED = Symbol('BILLING_COMMITTED');
